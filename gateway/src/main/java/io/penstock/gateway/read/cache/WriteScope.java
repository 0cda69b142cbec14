package io.penstock.gateway.read.cache;

import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * What a write touches. Everything that is not surely a read is taken for a write, and whatever is
 * not surely about one object for one about its whole bucket.
 *
 * @param keys empty for the bucket as a whole
 * @param version of the one key, or empty
 */
record WriteScope(String bucket, List<String> keys, String version) {
  WriteScope {
    keys = List.copyOf(keys);
  }

  /** Empty if the request leaves every object as it is. */
  static Optional<WriteScope> of(UpstreamRequest request) {
    S3Target target = request.target();
    Query query = target.query();
    boolean reads =
        switch (request.method()) {
          case "GET", "HEAD", "OPTIONS" -> true;
          case "POST" -> query.has("select") || query.has("uploads");
          // the parts of an upload are no object before it is completed
          default -> query.has("uploadId");
        };
    if (reads || target.isService()) {
      return Optional.empty();
    }
    if (target.isObject()) {
      String version = query.get("versionId").orElse("");
      return Optional.of(new WriteScope(target.bucket(), List.of(target.key()), version));
    }
    List<String> keys =
        query.has("delete") && request.body() instanceof UpstreamBody.Replayable(byte[] document)
            ? deleted(document)
            : List.of();
    return Optional.of(new WriteScope(target.bucket(), keys, ""));
  }

  private static List<String> deleted(byte[] document) {
    if (new String(document, StandardCharsets.UTF_8).contains("VersionId")) {
      return List.of();
    }
    try {
      return S3Xml.deleteKeys(document);
    } catch (S3Exception unreadable) {
      return List.of();
    }
  }
}
