package io.penstock.gateway.s3;

/**
 * S3 error codes the gateway itself answers, with their HTTP status (API reference, "Error
 * responses"). Errors of the store pass through untouched and need no entry here.
 */
public enum S3Error {
  ACCESS_DENIED("AccessDenied", 403),
  BAD_DIGEST("BadDigest", 400),
  INTERNAL_ERROR("InternalError", 500),
  NOT_IMPLEMENTED("NotImplemented", 501),
  SERVICE_UNAVAILABLE("ServiceUnavailable", 503);

  private final String code;
  private final int status;

  S3Error(String code, int status) {
    this.code = code;
    this.status = status;
  }

  public String code() {
    return code;
  }

  public int status() {
    return status;
  }
}
