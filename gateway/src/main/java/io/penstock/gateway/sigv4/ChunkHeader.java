package io.penstock.gateway.sigv4;

import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.HexFormat;

/**
 * The line before a chunk: {@code SIZE} in hex, and {@code ;chunk-signature=HEX} where chunks are
 * signed.
 */
record ChunkHeader(long size, String signature) {
  private static final String EXTENSION = ";chunk-signature=";
  private static final int MAX_SIZE_DIGITS = 16;

  static ChunkHeader parse(String line, boolean signed) {
    int semicolon = line.indexOf(';');
    long size = size(semicolon < 0 ? line : line.substring(0, semicolon));
    if (!signed) {
      // an extension without a meaning here may be ignored (RFC 9112, section 7.1.1)
      return new ChunkHeader(size, "");
    }
    if (semicolon < 0 || !line.startsWith(EXTENSION, semicolon)) {
      throw new S3Exception(
          S3Error.INVALID_REQUEST,
          "A chunk has no signature: write each chunk header as SIZE;chunk-signature=HEX.");
    }
    return new ChunkHeader(size, line.substring(semicolon + EXTENSION.length()));
  }

  private static long size(String digits) {
    if (digits.isEmpty() || digits.length() > MAX_SIZE_DIGITS) {
      throw invalid();
    }
    long size = 0;
    for (int i = 0; i < digits.length(); i++) {
      if (!HexFormat.isHexDigit(digits.charAt(i)) || size >>> 59 != 0) {
        throw invalid();
      }
      size = (size << 4) | HexFormat.fromHexDigit(digits.charAt(i));
    }
    return size;
  }

  private static S3Exception invalid() {
    return new S3Exception(
        S3Error.INVALID_CHUNK_SIZE_ERROR,
        "A chunk header must begin with the size of the chunk in hexadecimal digits.");
  }
}
