package io.penstock.gateway.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Builds framed bodies and cuts them into buffers. */
final class Wire {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Wire text(String text) {
    out.writeBytes(text.getBytes(ISO_8859_1));
    return this;
  }

  Wire bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  /**
   * {@code body} in chunks of {@code size}, each signed along the chain that {@code signing}
   * begins.
   */
  static Wire signed(
      byte[] body, int size, PayloadClaim.ChunkSigning signing, String... trailerLines) {
    Wire wire = new Wire();
    String previous = signing.seedSignature();
    int at = 0;
    int length;
    do {
      length = Math.min(size, body.length - at);
      byte[] chunk = java.util.Arrays.copyOfRange(body, at, at + length);
      previous = SignatureCalculator.ofChunk(signing, previous, Sha256.of(chunk));
      wire.text(Integer.toHexString(length) + ";chunk-signature=" + previous + "\r\n");
      if (length > 0) {
        wire.bytes(chunk).text("\r\n");
      }
      at += length;
    } while (length > 0);
    if (trailerLines.length > 0) {
      StringBuilder canonical = new StringBuilder();
      for (String line : trailerLines) {
        canonical.append(line).append('\n');
        wire.text(line + "\r\n");
      }
      byte[] hash = Sha256.of(canonical.toString().getBytes(ISO_8859_1));
      wire.text(
          "x-amz-trailer-signature:"
              + SignatureCalculator.ofTrailer(signing, previous, hash)
              + "\r\n");
    }
    return wire.text("\r\n");
  }

  static Wire unsigned(byte[] body, int size, String... trailerLines) {
    Wire wire = new Wire();
    for (int at = 0; at < body.length; at += size) {
      int length = Math.min(size, body.length - at);
      wire.text(Integer.toHexString(length) + "\r\n");
      wire.bytes(java.util.Arrays.copyOfRange(body, at, at + length)).text("\r\n");
    }
    wire.text("0\r\n");
    for (String line : trailerLines) {
      wire.text(line + "\r\n");
    }
    return wire.text("\r\n");
  }

  /** {@code bytes} as buffers of one to {@code max} bytes, heap and direct. */
  static List<ByteBuf> cut(byte[] bytes, int max, Random random) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(1 + random.nextInt(max), bytes.length - at);
      ByteBuf buffer =
          random.nextBoolean() ? Unpooled.directBuffer(length) : Unpooled.buffer(length);
      buffers.add(buffer.writeBytes(bytes, at, length));
      at += length;
    }
    return buffers;
  }
}
