package io.penstock.arrow.ipc;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 frame format, version 1.6.x, over direct buffers: written as independent blocks of 4 MiB
 * without checksums; read with independent blocks only, checksums verified where there are any.
 * Source: lz4_Frame_format.md of the LZ4 project.
 */
final class Lz4Frames {
  private static final int MAGIC = 0x184D2204;
  private static final int BLOCK = 4 << 20;
  private static final int STORED = 0x80000000;
  private static final int VERSION_1 = 0x40;
  private static final int INDEPENDENT = 0x20;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int CONTENT_SIZE = 0x08;
  private static final int CONTENT_CHECKSUM = 0x04;
  private static final int DICTIONARY = 0x01;
  private static final int HEADER = 7;
  private static final int END_MARK = 4;

  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR =
      LZ4Factory.fastestInstance().safeDecompressor();
  private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

  private Lz4Frames() {}

  static long bound(int bytes) {
    long blocks = ((long) bytes + BLOCK - 1) / BLOCK;
    return HEADER + END_MARK + blocks * (Integer.BYTES + COMPRESSOR.maxCompressedLength(BLOCK));
  }

  /** Compresses all of {@code from} and returns how many bytes {@code to} got. */
  static int compress(ByteBuffer from, ByteBuffer to) {
    to.order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC);
    to.put((byte) (VERSION_1 | INDEPENDENT)).put((byte) 0x70);
    to.put(headerChecksum(to, 4, 2));
    for (int at = 0; at < from.limit(); at += BLOCK) {
      int length = Math.min(BLOCK, from.limit() - at);
      int size = to.position();
      int packed =
          COMPRESSOR.compress(
              from, at, length, to, size + Integer.BYTES, to.limit() - size - Integer.BYTES);
      if (packed < length) {
        to.putInt(packed).position(size + Integer.BYTES + packed);
      } else {
        to.putInt(length | STORED).put(from.slice(at, length));
      }
    }
    to.putInt(0);
    return to.position();
  }

  /**
   * Decompresses one frame that must fill {@code to} exactly.
   *
   * @throws IllegalArgumentException if the frame is damaged, too long or too short
   */
  static void decompress(ByteBuffer from, ByteBuffer to) {
    from.order(ByteOrder.LITTLE_ENDIAN);
    try {
      int flags = header(from);
      while (true) {
        int size = from.getInt();
        if (size == 0) {
          break;
        }
        block(from, size, to);
        if ((flags & BLOCK_CHECKSUM) != 0) {
          int length = size & ~STORED;
          verify(from, from.position() - length, length);
        }
      }
      if ((flags & CONTENT_CHECKSUM) != 0 && from.getInt() != HASH.hash(to, 0, to.position(), 0)) {
        throw new IllegalArgumentException("the LZ4 content checksum does not match");
      }
    } catch (LZ4Exception | IndexOutOfBoundsException | BufferUnderflowException e) {
      throw new IllegalArgumentException("the LZ4 frame is damaged", e);
    }
    if (to.hasRemaining()) {
      throw new IllegalArgumentException(
          "the LZ4 frame is %d bytes short".formatted(to.remaining()));
    }
  }

  private static int header(ByteBuffer from) {
    if (from.getInt() != MAGIC) {
      throw new IllegalArgumentException("not an LZ4 frame");
    }
    int flags = from.get();
    from.get();
    if ((flags & 0xC0) != VERSION_1 || (flags & INDEPENDENT) == 0 || (flags & DICTIONARY) != 0) {
      throw new IllegalArgumentException(
          "an LZ4 frame with linked blocks or a dictionary: only independent blocks are read");
    }
    int length = 2;
    if ((flags & CONTENT_SIZE) != 0) {
      from.getLong();
      length += Long.BYTES;
    }
    if (from.get() != headerChecksum(from, 4, length)) {
      throw new IllegalArgumentException("the LZ4 header checksum does not match");
    }
    return flags;
  }

  private static byte headerChecksum(ByteBuffer frame, int at, int length) {
    return (byte) (HASH.hash(frame, at, length, 0) >> 8);
  }

  private static void block(ByteBuffer from, int size, ByteBuffer to) {
    int length = size & ~STORED;
    if (length > from.remaining()) {
      throw new IllegalArgumentException("the LZ4 frame is cut off");
    }
    if ((size & STORED) != 0) {
      if (length > to.remaining()) {
        throw new IllegalArgumentException("the LZ4 frame is longer than declared");
      }
      to.put(from.slice(from.position(), length));
    } else {
      int got =
          DECOMPRESSOR.decompress(from, from.position(), length, to, to.position(), to.remaining());
      to.position(to.position() + got);
    }
    from.position(from.position() + length);
  }

  private static void verify(ByteBuffer from, int at, int length) {
    if (from.getInt() != HASH.hash(from, at, length, 0)) {
      throw new IllegalArgumentException("an LZ4 block checksum does not match");
    }
  }
}
