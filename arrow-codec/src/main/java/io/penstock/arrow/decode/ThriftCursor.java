package io.penstock.arrow.decode;

import java.util.HashMap;
import java.util.Map;

/**
 * Walks over values in Thrift's compact protocol without building them, so that what they claim can
 * be checked first: no collection may be longer than the bytes that are left.
 *
 * <p>Threading: one thread.
 */
final class ThriftCursor {

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_VARINT_BITS = 63;

  private final ByteCursor bytes;

  ThriftCursor(ByteCursor bytes) {
    this.bytes = bytes;
  }

  /**
   * Walks over a struct and keeps its 32-bit integers and booleans, and those of structs in it
   * under {@code outer * 100 + inner}: enough to tell a page header. Whoever reads the struct again
   * must find the same, so no field may come twice, and none with more bits than it has.
   */
  Map<Integer, Long> struct() throws DecodeException {
    Map<Integer, Long> numbers = new HashMap<>();
    struct(numbers, 0, 0);
    return numbers;
  }

  private void struct(Map<Integer, Long> numbers, int prefix, int depth) throws DecodeException {
    checkDepth(depth);
    int id = 0;
    for (int head = bytes.u8(); head != 0; head = bytes.u8()) {
      int delta = head >> 4;
      id = delta == 0 ? (int) zigzag() : id + delta;
      int type = head & 0xf;
      if (type == I32) {
        keep(numbers, prefix + id, zigzag());
      } else if (type == STRUCT && depth == 0) {
        keep(numbers, id * 100, 0);
        struct(numbers, id * 100, 1);
      } else if (type == TRUE || type == FALSE) {
        keep(numbers, prefix + id, type == TRUE ? 1 : 0);
      } else {
        skip(type, depth + 1);
      }
    }
  }

  private static void keep(Map<Integer, Long> numbers, int id, long value) throws DecodeException {
    if (value != (int) value || numbers.put(id, value) != null) {
      throw malformed();
    }
  }

  /**
   * The offsets and sizes in a Parquet offset index: a list, first field of a struct, of structs.
   */
  Map<Long, Long> pageLocations() throws DecodeException {
    Map<Long, Long> sizes = new HashMap<>();
    int first = bytes.u8();
    int head = bytes.u8();
    long count = head >> 4 == 0xf ? varint() : head >> 4;
    if (first != ((1 << 4) | LIST) || (head & 0xf) != STRUCT || count > bytes.left()) {
      throw malformed();
    }
    for (long i = 0; i < count; i++) {
      // offset: i64, size: i32, first row: i64
      long offset = expected(I64);
      sizes.put(offset, expected(I32));
      expected(I64);
      if (bytes.u8() != 0) {
        throw malformed();
      }
    }
    return sizes;
  }

  private long expected(int type) throws DecodeException {
    if (bytes.u8() != ((1 << 4) | type)) {
      throw malformed();
    }
    return zigzag();
  }

  private static DecodeException malformed() {
    return DecodeException.corrupt("the Parquet file has a malformed header");
  }

  private void skip(int type, int depth) throws DecodeException {
    checkDepth(depth);
    switch (type) {
      // inside of collections a boolean takes a byte
      case TRUE, FALSE, BYTE -> bytes.skip(1);
      case I16, I32, I64 -> varint();
      case DOUBLE -> bytes.skip(Double.BYTES);
      case BINARY -> bytes.skip(varint());
      case LIST, SET -> {
        int head = bytes.u8();
        long size = head >> 4 == 0xf ? varint() : head >> 4;
        skip(size, depth, head & 0xf);
      }
      case MAP -> {
        long size = varint();
        int types = size == 0 ? 0 : bytes.u8();
        skip(size, depth, types >> 4, types & 0xf);
      }
      case STRUCT -> struct(new HashMap<>(), 0, depth + 1);
      default -> throw malformed();
    }
  }

  private void skip(long size, int depth, int... types) throws DecodeException {
    if (size < 0 || size > bytes.left()) {
      throw DecodeException.corrupt("the Parquet file has a list longer than itself");
    }
    for (long i = 0; i < size; i++) {
      for (int type : types) {
        skip(type, depth + 1);
      }
    }
  }

  private static void checkDepth(int depth) throws DecodeException {
    if (depth > MAX_DEPTH) {
      throw DecodeException.corrupt("the Parquet file has headers nested too deep");
    }
  }

  private long zigzag() throws DecodeException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Seven bits a byte, the lowest first. */
  long varint() throws DecodeException {
    long value = 0;
    for (int shift = 0; shift <= MAX_VARINT_BITS; shift += 7) {
      int next = bytes.u8();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw DecodeException.corrupt("the Parquet file has a malformed number");
  }
}
