package io.penstock.gateway.s3;

/**
 * S3 error codes the gateway itself answers, with their HTTP status (API reference, "Error
 * responses"). Errors of the store pass through untouched and need no entry here.
 */
public enum S3Error {
  ACCESS_DENIED("AccessDenied", 403),
  AUTHORIZATION_HEADER_MALFORMED("AuthorizationHeaderMalformed", 400),
  AUTHORIZATION_QUERY_PARAMETERS_ERROR("AuthorizationQueryParametersError", 400),
  BAD_DIGEST("BadDigest", 400),
  BAD_REQUEST("BadRequest", 400),
  ENTITY_TOO_LARGE("EntityTooLarge", 400),
  EXPIRED_TOKEN("ExpiredToken", 400),
  INCOMPLETE_BODY("IncompleteBody", 400),
  INTERNAL_ERROR("InternalError", 500),
  INVALID_ACCESS_KEY_ID("InvalidAccessKeyId", 403),
  INVALID_ARGUMENT("InvalidArgument", 400),
  INVALID_BUCKET_NAME("InvalidBucketName", 400),
  INVALID_CHUNK_SIZE_ERROR("InvalidChunkSizeError", 403),
  INVALID_DIGEST("InvalidDigest", 400),
  INVALID_RANGE("InvalidRange", 416),
  INVALID_REQUEST("InvalidRequest", 400),
  INVALID_SECURITY("InvalidSecurity", 403),
  INVALID_TOKEN("InvalidToken", 400),
  INVALID_URI("InvalidURI", 400),
  MALFORMED_JSON("MalformedJSON", 400),
  MALFORMED_POST_REQUEST("MalformedPOSTRequest", 400),
  MALFORMED_TRAILER_ERROR("MalformedTrailerError", 400),
  MALFORMED_XML("MalformedXML", 400),
  MAX_MESSAGE_LENGTH_EXCEEDED("MaxMessageLengthExceeded", 400),
  METADATA_TOO_LARGE("MetadataTooLarge", 400),
  METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
  MISSING_ATTACHMENT("MissingAttachment", 400),
  MISSING_CONTENT_LENGTH("MissingContentLength", 411),
  MISSING_REQUEST_BODY("MissingRequestBodyError", 400),
  MISSING_SECURITY_HEADER("MissingSecurityHeader", 400),
  NO_SUCH_BUCKET("NoSuchBucket", 404),
  NO_SUCH_KEY("NoSuchKey", 404),
  NO_SUCH_UPLOAD("NoSuchUpload", 404),
  NOT_IMPLEMENTED("NotImplemented", 501),
  PRECONDITION_FAILED("PreconditionFailed", 412),
  REQUEST_HEADER_SECTION_TOO_LARGE("RequestHeaderSectionTooLarge", 400),
  REQUEST_TIME_TOO_SKEWED("RequestTimeTooSkewed", 403),
  REQUEST_TIMEOUT("RequestTimeout", 400),
  SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
  SIGNATURE_DOES_NOT_MATCH("SignatureDoesNotMatch", 403),
  SLOW_DOWN("SlowDown", 503),
  UNDECODABLE_OBJECT("UndecodableObject", 422),
  UNEXPECTED_CONTENT("UnexpectedContent", 400),
  UNSUPPORTED_SIGNATURE("UnsupportedSignature", 400),
  X_AMZ_CONTENT_SHA256_MISMATCH("XAmzContentSHA256Mismatch", 400);

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
