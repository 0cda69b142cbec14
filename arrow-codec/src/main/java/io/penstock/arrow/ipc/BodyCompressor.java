package io.penstock.arrow.ipc;

import com.github.luben.zstd.Zstd;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Compresses the buffers of a body, each for itself, as Arrow's {@code BodyCompression} has it:
 * eight bytes of uncompressed length, then the compressed bytes; or -1, then the bytes as they are,
 * where that is shorter or a buffer is above 1 GiB.
 *
 * <p>Threading: any thread, also several at once.
 *
 * <p>Ownership: takes over a buffer's parts; the result owns blocks of its own.
 */
public final class BodyCompressor {
  /** Buffers are passed on. */
  public static final BodyCompressor NONE =
      new BodyCompressor(
          Compression.NONE,
          bytes -> {
            throw new IllegalStateException("nothing to compress");
          });

  /** Zstandard's own default is 3; 1 keeps a slow core ahead of a fast link. */
  private static final int ZSTD_LEVEL = 1;

  private static final int PREFIX = Long.BYTES;
  private static final long LARGEST = 1L << 30;
  // the frame around it would be longer
  private static final long SMALLEST = 64;

  private final Compression compression;
  private final BlockSource memory;

  /** Compresses into blocks of {@code memory}. */
  public BodyCompressor(Compression compression, BlockSource memory) {
    this.compression = compression;
    this.memory = memory;
  }

  Compression compression() {
    return compression;
  }

  BodyBuffer compress(BodyBuffer buffer) {
    long bytes = buffer.bytes();
    if (compression == Compression.NONE || bytes == 0) {
      return buffer;
    }
    if (bytes < SMALLEST || bytes > LARGEST) {
      return plain(buffer);
    }
    try {
      return packed(buffer, (int) bytes);
    } catch (RuntimeException e) {
      buffer.release();
      throw e;
    }
  }

  private BodyBuffer packed(BodyBuffer buffer, int bytes) {
    Block target = memory.allocate(PREFIX + bound(bytes));
    int length;
    try (Source source = source(buffer, bytes)) {
      ByteBuffer to = target.segment().asByteBuffer();
      to.order(ByteOrder.LITTLE_ENDIAN).putLong(bytes);
      length = pack(source.bytes(), to.slice());
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
    if (length >= bytes) {
      target.close();
      return plain(buffer);
    }
    buffer.release();
    return new BodyBuffer(BlockParts.of(target, PREFIX + (long) length));
  }

  private long bound(int bytes) {
    return compression == Compression.LZ4 ? Lz4Frames.bound(bytes) : Zstd.compressBound(bytes);
  }

  private int pack(ByteBuffer from, ByteBuffer to) {
    if (compression == Compression.LZ4) {
      return Lz4Frames.compress(from, to);
    }
    long length =
        Zstd.compressDirectByteBuffer(to, 0, to.remaining(), from, 0, from.remaining(), ZSTD_LEVEL);
    return Math.toIntExact(length);
  }

  private static BodyBuffer plain(BodyBuffer buffer) {
    List<BodyPart> parts = new ArrayList<>();
    parts.add(new HeapPart(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}));
    parts.addAll(buffer.parts());
    return new BodyBuffer(parts);
  }

  /** The buffer in one direct piece: itself if it is one, else a copy. */
  private Source source(BodyBuffer buffer, int bytes) {
    if (buffer.parts().size() == 1 && buffer.parts().getFirst().view().isDirect()) {
      return new Source(buffer.parts().getFirst().view(), () -> {});
    }
    Block copy = memory.allocate(bytes);
    long at = 0;
    for (BodyPart part : buffer.parts()) {
      MemorySegment from = MemorySegment.ofBuffer(part.view());
      MemorySegment.copy(from, 0, copy.segment(), at, from.byteSize());
      at += from.byteSize();
    }
    return new Source(copy.segment().asByteBuffer(), copy::close);
  }

  private record Source(ByteBuffer bytes, Runnable free) implements AutoCloseable {
    @Override
    public void close() {
      free.run();
    }
  }
}
