package io.penstock.arrow.ring;

import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Frames whose every word follows from their number, so that a torn one shows. */
final class Frames {
  private Frames() {}

  private record Words(ByteBuffer words) implements BodyPart {
    @Override
    public int bytes() {
      return words.remaining();
    }

    @Override
    public ByteBuffer view() {
      return words.duplicate();
    }

    @Override
    public void release() {}
  }

  static Frame of(Frame.Kind kind, long number, int words) {
    ByteBuffer bytes = ByteBuffer.allocate(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < words; i++) {
      bytes.putLong(word(number, i));
    }
    return new Frame(kind, List.of(new Words(bytes.flip())));
  }

  /** Whether all of the bytes are those of that frame. */
  static boolean isWhole(MemorySegment bytes, long number) {
    for (long i = 0; i < bytes.byteSize() / Long.BYTES; i++) {
      if (bytes.get(ValueLayout.JAVA_LONG, i * Long.BYTES) != word(number, i)) {
        return false;
      }
    }
    return true;
  }

  private static long word(long number, long at) {
    return (number + 1) * 0x9E3779B97F4A7C15L ^ at * 0xBF58476D1CE4E5B9L;
  }
}
