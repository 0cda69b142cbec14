package io.penstock.gateway.access;

import io.penstock.arrow.wire.SampleFile;
import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.config.ModelsConfig.Form;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.transform.Features;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * What all objects of one access point have in common, and what follows from the object behind one:
 * its ETag, its fields.
 *
 * <p>Threading: immutable.
 */
record FeatureObject(AccessPointConfig point, Features features, SampleFile file) {
  private static final int TAG_BYTES = 16;

  static FeatureObject of(AccessPointConfig point, Features features) {
    SampleFile file =
        switch (point.format()) {
          case NPY -> SampleFile.npy(features.spec());
          case ARROW -> SampleFile.arrow(features.spec(), features.words());
        };
    return new FeatureObject(point, features, file);
  }

  /**
   * The strong ETag: another one when, and only when, the object behind, the model, the split, the
   * decoding or the form is another. Never 32 digits alone, which clients take for an MD5.
   *
   * @param source the ETag of the object behind, quoted or not
   */
  String etag(String source) {
    String whole =
        String.join("\n", "1", source.replace("\"", ""), features.recipe(), form().name());
    return "\"" + digest(whole) + "-features\"";
  }

  private Form form() {
    return point.format();
  }

  private static String digest(String text) {
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static S3Exception nameless() {
    return new S3Exception(
        S3Error.SERVICE_UNAVAILABLE,
        "The store gave no ETag for the object, without which its features have none.");
  }

  /**
   * The fields that do not depend on which part was asked for.
   *
   * @throws S3Exception if the object behind has no ETag
   */
  HttpFields fields(ResponseHead source) {
    HttpFields.Builder fields = HttpFields.builder();
    HttpFields behind = source.fields();
    fields.add("etag", etag(behind.get("etag").orElseThrow(FeatureObject::nameless)));
    fields.add("accept-ranges", "bytes");
    fields.add(
        "content-type",
        form() == Form.NPY ? "application/octet-stream" : "application/vnd.apache.arrow.stream");
    for (int i = 0; i < behind.size(); i++) {
      String name = behind.name(i).toLowerCase(Locale.ROOT);
      if (name.equals("last-modified")
          || name.equals("x-amz-version-id")
          || name.startsWith("x-amz-meta-")) {
        fields.add(behind.name(i), behind.value(i));
      }
    }
    fields.add("x-penstock-model", features.sha256());
    Optional.ofNullable(features.words().get("penstock.transform.shape"))
        .ifPresent(shape -> fields.add("x-penstock-shape", shape));
    return fields.build();
  }
}
