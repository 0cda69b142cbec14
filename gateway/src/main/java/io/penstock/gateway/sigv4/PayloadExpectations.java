package io.penstock.gateway.sigv4;

import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the fields of a head say the body will be. A checksum field of an algorithm not known here
 * is not an expectation: the store may know it. A trailer of that kind is refused, since the store
 * will not see it.
 *
 * @param length bytes of the body without framing; -1 if the head does not say
 * @param limit most bytes that are accepted
 * @param contentMd5 base64
 * @param checksums base64 values from header fields
 * @param trailers what must follow the last chunk
 */
public record PayloadExpectations(
    long length,
    long limit,
    Optional<String> contentMd5,
    Map<ChecksumAlgorithm, String> checksums,
    List<ChecksumAlgorithm> trailers) {
  private static final String DECODED_LENGTH = "x-amz-decoded-content-length";

  public PayloadExpectations {
    checksums = Map.copyOf(checksums);
    trailers = List.copyOf(trailers);
  }

  /**
   * Reads {@code head}; a body may have at most {@code limit} bytes.
   *
   * @throws S3Exception if its fields are malformed or contradict each other or {@code claim}, or
   *     if the length is over the limit
   */
  public static PayloadExpectations from(RequestHead head, PayloadClaim claim, long limit) {
    HttpFields fields = head.fields();
    boolean framed = isFramed(claim);
    if (!framed && fields.has(DECODED_LENGTH) && ContentEncoding.isAwsChunked(fields)) {
      throw new S3Exception(
          S3Error.INVALID_REQUEST,
          "Content-Encoding is aws-chunked, but x-amz-content-sha256 does not say how: send one of"
              + " the STREAMING-... values.");
    }
    long length = framed ? decodedLength(fields) : contentLength(fields);
    if (length > limit) {
      throw new S3Exception(
          S3Error.ENTITY_TOO_LARGE,
          "The body has " + length + " bytes; at most " + limit + " are accepted.");
    }
    return new PayloadExpectations(
        length,
        limit,
        contentMd5(fields),
        isPartsList(head) ? Map.of() : checksums(fields),
        trailers(fields, claim));
  }

  /** Whether a body of that claim comes in chunks. */
  public static boolean isFramed(PayloadClaim claim) {
    return switch (claim) {
      case PayloadClaim.SignedChunks _, PayloadClaim.UnsignedChunks _ -> true;
      case PayloadClaim.Sha256 _, PayloadClaim.Unsigned _ -> false;
    };
  }

  private static long decodedLength(HttpFields fields) {
    return number(
        fields
            .get(DECODED_LENGTH)
            .orElseThrow(
                () ->
                    new S3Exception(
                        S3Error.MISSING_CONTENT_LENGTH,
                        "An aws-chunked body needs " + DECODED_LENGTH + ".")),
        DECODED_LENGTH);
  }

  private static long contentLength(HttpFields fields) {
    Optional<String> length = fields.get("content-length");
    return length.isEmpty() ? -1 : number(length.get(), "Content-Length");
  }

  private static long number(String text, String name) {
    String digits = text.strip();
    try {
      long number = Long.parseLong(digits);
      if (number >= 0 && Character.isDigit(digits.charAt(0))) {
        return number;
      }
    } catch (NumberFormatException e) {
      // falls through to the one refusal
    }
    throw new S3Exception(
        S3Error.INVALID_ARGUMENT, name + " must be a number of bytes, not negative.");
  }

  private static Optional<String> contentMd5(HttpFields fields) {
    List<String> values = fields.all("content-md5");
    Optional<String> value = values.stream().findFirst().map(String::strip);
    if (value.isPresent()
        && (values.size() > 1 || !isBase64(value.get(), ChecksumAlgorithm.MD5.length()))) {
      throw new S3Exception(
          S3Error.INVALID_DIGEST, "The Content-MD5 you specified is not the base64 of 16 bytes.");
    }
    return value;
  }

  /** CompleteMultipartUpload: its checksum fields are about the object, not about its own body. */
  private static boolean isPartsList(RequestHead head) {
    return head.method().equals("POST")
        && CanonicalQuery.of(head.rawQuery()).get("uploadId").isPresent();
  }

  private static Map<ChecksumAlgorithm, String> checksums(HttpFields fields) {
    Map<ChecksumAlgorithm, String> checksums = new EnumMap<>(ChecksumAlgorithm.class);
    for (int i = 0; i < fields.size(); i++) {
      Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.ofField(fields.name(i));
      if (algorithm.isPresent()) {
        String value = fields.value(i).strip();
        if (!isBase64(value, algorithm.get().length())) {
          throw new S3Exception(
              S3Error.INVALID_REQUEST,
              "Value for " + algorithm.get().field() + " header is invalid.");
        }
        if (!checksums.isEmpty()) {
          throw new S3Exception(
              S3Error.INVALID_REQUEST,
              "Expecting a single x-amz-checksum- header. Multiple checksum types are not allowed.");
        }
        checksums.put(algorithm.get(), value);
      }
    }
    return checksums;
  }

  private static List<ChecksumAlgorithm> trailers(HttpFields fields, PayloadClaim claim) {
    List<ChecksumAlgorithm> trailers = new ArrayList<>();
    for (String value : fields.all("x-amz-trailer")) {
      for (String token : value.split(",", -1)) {
        String name = token.strip().toLowerCase(Locale.ROOT);
        if (!name.isEmpty()) {
          trailers.add(
              ChecksumAlgorithm.ofField(name)
                  .orElseThrow(
                      () ->
                          new S3Exception(
                              S3Error.INVALID_REQUEST,
                              "The value specified in the x-amz-trailer header is not supported: "
                                  + name)));
        }
      }
    }
    boolean possible =
        switch (claim) {
          case PayloadClaim.SignedChunks chunks -> chunks.trailer();
          case PayloadClaim.UnsignedChunks _ -> true;
          case PayloadClaim.Sha256 _, PayloadClaim.Unsigned _ -> false;
        };
    if (!trailers.isEmpty() && !possible) {
      throw new S3Exception(
          S3Error.INVALID_REQUEST,
          "x-amz-trailer needs an x-amz-content-sha256 that ends in -TRAILER.");
    }
    return trailers;
  }

  private static boolean isBase64(String value, int length) {
    try {
      byte[] bytes = Base64.getDecoder().decode(value);
      return bytes.length == length && Base64.getEncoder().encodeToString(bytes).equals(value);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
