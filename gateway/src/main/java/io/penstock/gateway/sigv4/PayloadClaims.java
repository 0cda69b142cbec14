package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.sigv4.PayloadClaim.ChunkSigning;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads {@code x-amz-content-sha256}: which form the body has, and what is promised about it.
 *
 * <p>Threading: stateless.
 */
final class PayloadClaims {
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";
  static final String SIGNED_CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  static final String SIGNED_CHUNKS_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
  static final String UNSIGNED_CHUNKS_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  private static final String FIELD = "x-amz-content-sha256";

  private PayloadClaims() {}

  /** The one value of the field, as sent. */
  static Optional<String> value(HttpFields fields) {
    var values = fields.all(FIELD);
    if (values.size() > 1) {
      throw new S3Exception(S3Error.INVALID_REQUEST, "Send one " + FIELD + " header, not several.");
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0).strip());
  }

  /** What {@code value} claims; {@code signing} is asked only for signed chunks. */
  static PayloadClaim of(String value, Supplier<ChunkSigning> signing) {
    return switch (value) {
      case UNSIGNED -> new PayloadClaim.Unsigned();
      case UNSIGNED_CHUNKS_TRAILER -> new PayloadClaim.UnsignedChunks();
      case SIGNED_CHUNKS -> new PayloadClaim.SignedChunks(signing.get(), false);
      case SIGNED_CHUNKS_TRAILER -> new PayloadClaim.SignedChunks(signing.get(), true);
      default -> {
        if (value.startsWith("STREAMING-")) {
          throw new S3Exception(
              S3Error.NOT_IMPLEMENTED,
              FIELD
                  + ": "
                  + value
                  + " is not supported here; use "
                  + SIGNED_CHUNKS
                  + " or "
                  + UNSIGNED_CHUNKS_TRAILER
                  + ".");
        }
        if (!isHexDigest(value)) {
          throw new S3Exception(
              S3Error.INVALID_ARGUMENT,
              FIELD
                  + " must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, "
                  + SIGNED_CHUNKS
                  + ", "
                  + SIGNED_CHUNKS_TRAILER
                  + ", or a SHA-256 of 64 hexadecimal digits.");
        }
        yield new PayloadClaim.Sha256(value.toLowerCase(Locale.ROOT));
      }
    };
  }

  /** The claim of a body without a signature: unsigned, or framed. */
  static PayloadClaim ofUnsigned(HttpFields fields) {
    return of(
        value(fields).orElse(isFramed(fields) ? UNSIGNED_CHUNKS_TRAILER : UNSIGNED),
        () -> {
          throw new S3Exception(
              S3Error.INVALID_REQUEST,
              "Signed chunks need an Authorization header that signs the request: sign it, or send "
                  + UNSIGNED_CHUNKS_TRAILER
                  + ".");
        });
  }

  /** SDKs without credentials frame the body but leave out the field that says so. */
  private static boolean isFramed(HttpFields fields) {
    return fields.has("x-amz-decoded-content-length") && ContentEncoding.isAwsChunked(fields);
  }

  private static boolean isHexDigest(String value) {
    if (value.length() != 64) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (!HexFormat.isHexDigit(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
