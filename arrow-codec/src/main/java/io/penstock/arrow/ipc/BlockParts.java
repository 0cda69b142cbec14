package io.penstock.arrow.ipc;

import io.penstock.arrow.memory.Block;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A block as parts, of which none is longer than a {@link ByteBuffer} may be. */
final class BlockParts {
  private static final long LONGEST = 1L << 30;

  private BlockParts() {}

  /** The first {@code bytes} of the block; the last part to be released closes it. */
  static List<BodyPart> of(Block block, long bytes) {
    List<BodyPart> parts = new ArrayList<>();
    AtomicInteger holders = new AtomicInteger();
    for (long at = 0; at < bytes; at += LONGEST) {
      MemorySegment slice = block.segment().asSlice(at, Math.min(LONGEST, bytes - at));
      parts.add(new BlockPart(block, slice, holders, new AtomicBoolean()));
    }
    holders.set(parts.size());
    if (parts.isEmpty()) {
      block.close();
    }
    return parts;
  }

  private record BlockPart(
      Block block, MemorySegment slice, AtomicInteger holders, AtomicBoolean released)
      implements BodyPart {
    @Override
    public int bytes() {
      return Math.toIntExact(slice.byteSize());
    }

    @Override
    public ByteBuffer view() {
      return slice.asByteBuffer();
    }

    @Override
    public void release() {
      if (released.getAndSet(true)) {
        throw new IllegalStateException("a part of " + slice.byteSize() + " bytes released twice");
      }
      if (holders.decrementAndGet() == 0) {
        block.close();
      }
    }
  }
}
