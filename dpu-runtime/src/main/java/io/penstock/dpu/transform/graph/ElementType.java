package io.penstock.dpu.transform.graph;

import static io.penstock.dpu.transform.model.ModelException.refused;

import io.penstock.arrow.tensor.DType;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Element types of ONNX that a model may use (onnx.proto, TensorProto.DataType). Strings, complex
 * numbers and those of less than a byte are not among them.
 */
public enum ElementType {
  FLOAT(1, 4, DType.FLOAT32),
  UINT8(2, 1, DType.UINT8),
  INT8(3, 1, DType.INT8),
  UINT16(4, 2, DType.UINT16),
  INT16(5, 2, DType.INT16),
  INT32(6, 4, DType.INT32),
  INT64(7, 8, DType.INT64),
  BOOL(9, 1, null),
  FLOAT16(10, 2, DType.FLOAT16),
  DOUBLE(11, 8, DType.FLOAT64),
  UINT32(12, 4, DType.UINT32),
  UINT64(13, 8, DType.UINT64),
  BFLOAT16(16, 2, null);

  private final int code;
  private final int bytes;
  private final @Nullable DType dtype;

  ElementType(int code, int bytes, @Nullable DType dtype) {
    this.code = code;
    this.bytes = bytes;
    this.dtype = dtype;
  }

  /** The number in the file. */
  public int code() {
    return code;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** The type a batch column would have, if there is one. */
  public Optional<DType> dtype() {
    return Optional.ofNullable(dtype);
  }

  /** The type with that number. */
  static ElementType of(long code, String what) {
    return Arrays.stream(values())
        .filter(type -> type.code == code)
        .findFirst()
        .orElseThrow(
            () -> refused(what + " has elements of type " + code + ", which is not supported"));
  }
}
