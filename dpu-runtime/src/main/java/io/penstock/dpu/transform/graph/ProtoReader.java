package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The fields of one protobuf message, one after the other
 * (protobuf.dev/programming-guides/encoding). Nested messages are segments of the same memory:
 * nothing is copied, and nothing recurses.
 *
 * <p>Threading: one thread.
 */
final class ProtoReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final MemorySegment message;
  private final String what;
  private long offset;
  private int wireType;

  /**
   * @param what the message is, for errors
   */
  ProtoReader(MemorySegment message, String what) {
    this.message = message;
    this.what = what;
  }

  /** The number of the next field, 0 at the end. Each field must be taken or skipped. */
  int next() {
    if (offset == message.byteSize()) {
      return 0;
    }
    long tag = varint();
    wireType = (int) (tag & 7);
    long field = tag >>> 3;
    if (field == 0 || field > (1 << 29) - 1) {
      throw damaged("field number " + field);
    }
    return (int) field;
  }

  /** The value of a field that must be a number. */
  long number() {
    if (wireType != VARINT) {
      throw damaged("a field of wire type " + wireType + " where a number belongs");
    }
    return varint();
  }

  /** The value of a field that must be a message, a string, bytes or a packed list. */
  MemorySegment bytes() {
    if (wireType != BYTES) {
      throw damaged("a field of wire type " + wireType + " where bytes belong");
    }
    long length = varint();
    if (length < 0 || length > message.byteSize() - offset) {
      throw damaged(
          "a field of " + length + " bytes where " + (message.byteSize() - offset) + " are left");
    }
    MemorySegment slice = message.asSlice(offset, length);
    offset += length;
    return slice;
  }

  /** The value of a string field of at most {@code most} bytes. */
  String text(int most) {
    MemorySegment slice = bytes();
    if (slice.byteSize() > most) {
      throw refused(
          what + " has a name of " + slice.byteSize() + " bytes, at most " + most + " are read");
    }
    ByteBuffer buffer = ByteBuffer.wrap(slice.toArray(ValueLayout.JAVA_BYTE));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException e) {
      throw damaged("a name that is not UTF-8");
    }
  }

  /** The field holds bytes, not a single number: for lists that may be packed or not. */
  boolean isBytes() {
    return wireType == BYTES;
  }

  void skip() {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> advance(8);
      case BYTES -> bytes();
      case FIXED32 -> advance(4);
      default -> throw damaged("wire type " + wireType);
    }
  }

  /** Nothing is left, for readers of packed lists. */
  boolean atEnd() {
    return offset == message.byteSize();
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (offset == message.byteSize()) {
        throw damaged("an end in the middle of a number");
      }
      byte next = message.get(ValueLayout.JAVA_BYTE, offset++);
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number of more than ten bytes");
  }

  private void advance(int bytes) {
    if (bytes > message.byteSize() - offset) {
      throw damaged("an end in the middle of a field");
    }
    offset += bytes;
  }

  private RuntimeException damaged(String found) {
    return refused(
        what
            + " is damaged or not ONNX: "
            + found
            + " at byte "
            + offset
            + ". Export or copy the file again");
  }
}
