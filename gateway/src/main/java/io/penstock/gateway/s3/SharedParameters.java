package io.penstock.gateway.s3;

/** Query parameters, separated by spaces, that are too many for a row of {@link S3Action}. */
final class SharedParameters {
  static final String BUCKETS = "max-buckets continuation-token prefix bucket-region";

  /** Of all kinds of listings: S3 ignores those of the other kinds, and clients send them. */
  static final String LISTING =
      "prefix delimiter encoding-type max-keys marker continuation-token fetch-owner start-after"
          + " key-marker version-id-marker upload-id-marker max-uploads"
          // MinIO, radosgw
          + " metadata allow-unordered";

  static final String READING =
      "versionId partNumber response-cache-control response-content-disposition"
          + " response-content-encoding response-content-language response-content-type"
          + " response-expires";

  static final String ANNOTATIONS =
      "versionId max-annotation-results annotation-prefix continuation-token";

  private SharedParameters() {}
}
