package io.penstock.gateway.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.dpu.memory.Reservation;
import java.nio.ByteBuffer;

/**
 * Room for one sample, and then the sample.
 *
 * <p>Ownership: of the buffer and of what is charged for it, until {@link #close}.
 */
final class MadeSample implements AutoCloseable {
  /** What kernels like best. */
  private static final int ALIGNMENT = 64;

  private final ByteBuf buffer;
  private final int begin;
  private final int bytes;
  private final Reservation charged;

  /** Takes {@code charged} over, which has at least {@link #cost}. */
  MadeSample(int bytes, Reservation charged) {
    this.bytes = bytes;
    this.charged = charged;
    this.buffer = allocate(bytes + ALIGNMENT, charged);
    int past = buffer.nioBuffer(0, 1).alignmentOffset(0, ALIGNMENT);
    this.begin = (ALIGNMENT - past) % ALIGNMENT;
  }

  private static ByteBuf allocate(int bytes, Reservation charged) {
    try {
      return PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
    } catch (OutOfMemoryError full) {
      charged.close();
      throw full;
    }
  }

  static long cost(long bytes) {
    return bytes + ALIGNMENT;
  }

  /** Where the sample is written to. */
  ByteBuffer place() {
    return buffer.nioBuffer(begin, bytes);
  }

  /** The sample, to be released once, before this is closed or after. */
  ByteBuf content() {
    return buffer.retainedSlice(begin, bytes);
  }

  /** What more is charged than the sample takes is given back. */
  void shrink() {
    charged.shrink(charged.bytes() - cost(bytes));
  }

  @Override
  public void close() {
    buffer.release();
    charged.close();
  }
}
