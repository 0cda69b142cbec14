package io.penstock.gateway.checksum;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The xxHash family without a seed, in its canonical (big-endian) form. The hashes read arrays
 * only, so direct buffers pass through a small one.
 */
final class XxHash extends Checksum {
  private static final int PIECE = 8 * 1024;

  private final HashStream64 stream;
  private final Supplier<byte[]> result;
  private byte[] piece = new byte[0];

  private XxHash(HashStream64 stream, Supplier<byte[]> result) {
    this.stream = stream;
    this.result = result;
  }

  static XxHash xxh64() {
    return of64(Hashing.xxh64().hashStream());
  }

  static XxHash xxh3() {
    return of64(Hashing.xxh3_64().hashStream());
  }

  static XxHash xxh128() {
    HashStream128 stream = Hashing.xxh3_128().hashStream();
    return new XxHash(
        stream,
        () -> {
          HashValue128 value = stream.get();
          return ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(value.getMostSignificantBits())
              .putLong(value.getLeastSignificantBits())
              .array();
        });
  }

  private static XxHash of64(HashStream64 stream) {
    return new XxHash(
        stream, () -> ByteBuffer.allocate(Long.BYTES).putLong(stream.getAsLong()).array());
  }

  @Override
  public void update(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      stream.putBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      bytes.position(bytes.limit());
      return;
    }
    if (piece.length == 0) {
      piece = new byte[PIECE];
    }
    while (bytes.hasRemaining()) {
      int length = Math.min(PIECE, bytes.remaining());
      bytes.get(piece, 0, length);
      stream.putBytes(piece, 0, length);
    }
  }

  @Override
  public byte[] value() {
    return result.get();
  }
}
