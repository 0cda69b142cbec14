package io.penstock.arrow.decode;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.arrow.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The header of an {@code npy} file, format versions 1 to 3 (NumPy's NEP 1 and {@code
 * numpy.lib.format}).
 *
 * @param contentAt where the array's bytes begin
 */
record NpyHeader(StoredArray array, long contentAt) {

  /** More than that is no header of a plain array. */
  static final int MAX_BYTES = 1 << 16;

  private static final int MAGIC_BYTES = 6;

  static NpyHeader read(MemorySegment bytes) throws DecodeException {
    byte[] magic =
        bytes.asSlice(0, Math.min(MAGIC_BYTES, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE);
    if (magic.length == MAGIC_BYTES
        && ObjectFormat.sniff(magic).filter(ObjectFormat.NPY::equals).isEmpty()) {
      throw DecodeException.corrupt("the object is no npy file");
    }
    ByteCursor cursor = new ByteCursor(bytes, 0);
    cursor.skip(MAGIC_BYTES);
    int version = cursor.u8();
    cursor.skip(1);
    if (version < 1 || version > 3) {
      throw DecodeException.unsupported("npy files of version %d are not known".formatted(version));
    }
    long length = version == 1 ? cursor.u16(LITTLE_ENDIAN) : cursor.u32(LITTLE_ENDIAN);
    if (length > MAX_BYTES) {
      throw DecodeException.tooLarge(
          "the npy header has %d bytes, read are at most %d".formatted(length, MAX_BYTES));
    }
    long at = cursor.at();
    cursor.skip(length);
    String text =
        new String(
            bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE),
            version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    return new NpyHeader(array(NpyLiteral.parse(text)), cursor.at());
  }

  private static StoredArray array(NpyLiteral literal) throws DecodeException {
    return new StoredArray(element(literal.descr()), literal.shape(), literal.fortranOrder());
  }

  private static StoredArray.Element element(String descr) throws DecodeException {
    ByteOrder order = descr.startsWith(">") ? BIG_ENDIAN : LITTLE_ENDIAN;
    boolean ordered = !descr.isEmpty() && "<>|=".indexOf(descr.charAt(0)) >= 0;
    return Optional.ofNullable(TYPES.get(ordered ? descr.substring(1) : descr))
        .map(type -> new StoredArray.Element(type, order, StoredArray.Encoding.AS_IS))
        .orElseThrow(
            () ->
                DecodeException.unsupported(
                    "npy elements of type %s: store numbers or bool"
                        .formatted(DecodeException.quoted(descr))));
  }

  private static final Map<String, DType> TYPES =
      Map.ofEntries(
          Map.entry("b1", DType.UINT8),
          Map.entry("u1", DType.UINT8),
          Map.entry("i1", DType.INT8),
          Map.entry("u2", DType.UINT16),
          Map.entry("i2", DType.INT16),
          Map.entry("u4", DType.UINT32),
          Map.entry("i4", DType.INT32),
          Map.entry("u8", DType.UINT64),
          Map.entry("i8", DType.INT64),
          Map.entry("f2", DType.FLOAT16),
          Map.entry("f4", DType.FLOAT32),
          Map.entry("f8", DType.FLOAT64));
}
