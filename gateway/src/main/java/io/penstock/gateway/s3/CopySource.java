package io.penstock.gateway.s3;

import java.util.Optional;

/**
 * The source of a copy, from {@code x-amz-copy-source}: {@code [/]bucket/key[?versionId=id]},
 * percent-encoded by the rules of a path, so {@code +} is a plus sign.
 *
 * <p>Threading: immutable.
 */
public record CopySource(String bucket, String key, Optional<String> versionId) {
  private static final String VERSION = "?versionId=";

  /**
   * Parses the field's value.
   *
   * @throws S3Exception InvalidArgument if it names no object, NotImplemented for ARNs
   */
  public static CopySource parse(String value) {
    // the version is cut off before decoding: an encoded question mark belongs to the key
    int question = value.lastIndexOf(VERSION);
    String path = question < 0 ? value : value.substring(0, question);
    if (path.startsWith("arn:") || path.startsWith("/arn:")) {
      throw new S3Exception(
          S3Error.NOT_IMPLEMENTED,
          "A copy source given as an ARN (access point, outpost) is not implemented by the gateway;"
              + " write it as bucket/key");
    }
    String decoded;
    Optional<String> version;
    try {
      decoded = UriEncoding.decodePath(path);
      version =
          question < 0
              ? Optional.empty()
              : Optional.of(UriEncoding.decodePath(value.substring(question + VERSION.length())));
    } catch (S3Exception _) {
      throw invalid("it is not percent-encoded UTF-8");
    }
    String name = decoded.startsWith("/") ? decoded.substring(1) : decoded;
    int slash = name.indexOf('/');
    if (slash <= 0 || slash == name.length() - 1) {
      throw invalid("it must name a bucket and a key, as bucket/key");
    }
    String bucket = name.substring(0, slash);
    if (!BucketName.isAcceptable(bucket)) {
      throw invalid("the bucket name is not valid");
    }
    return new CopySource(bucket, name.substring(slash + 1), version);
  }

  /** The field's value in the one spelling that every store reads alike. */
  public String encoded() {
    String path = UriEncoding.encode(bucket) + "/" + UriEncoding.encodePath(key);
    return versionId.map(id -> path + VERSION + UriEncoding.encode(id)).orElse(path);
  }

  private static S3Exception invalid(String why) {
    return new S3Exception(
        S3Error.INVALID_ARGUMENT, "x-amz-copy-source cannot be understood: " + why);
  }
}
