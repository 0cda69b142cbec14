package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import io.penstock.arrow.tensor.DType;
import io.penstock.dpu.transform.graph.ElementType;
import io.penstock.dpu.transform.graph.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** Between our types and ONNX Runtime's. */
final class Tensors {
  private Tensors() {}

  /** ONNX Runtime's name for {@code type}, if its Java interface has one. */
  static Optional<OnnxJavaType> javaType(ElementType type) {
    return switch (type) {
      case FLOAT -> Optional.of(OnnxJavaType.FLOAT);
      case DOUBLE -> Optional.of(OnnxJavaType.DOUBLE);
      case FLOAT16 -> Optional.of(OnnxJavaType.FLOAT16);
      case UINT8 -> Optional.of(OnnxJavaType.UINT8);
      case INT8 -> Optional.of(OnnxJavaType.INT8);
      case INT16 -> Optional.of(OnnxJavaType.INT16);
      case INT32 -> Optional.of(OnnxJavaType.INT32);
      case INT64 -> Optional.of(OnnxJavaType.INT64);
      case BOOL, UINT16, UINT32, UINT64, BFLOAT16 -> Optional.empty();
    };
  }

  /** Tensors of that type can be handed in and out. */
  static boolean passes(ElementType type) {
    return javaType(type).isPresent() && type.dtype().isPresent();
  }

  static long[] shape(ValueType type) {
    return type.shape().stream().mapToLong(Long::longValue).toArray();
  }

  static ElementType elementType(DType dtype) {
    return Arrays.stream(ElementType.values())
        .filter(type -> type.dtype().equals(Optional.of(dtype)))
        .findFirst()
        .orElseThrow();
  }

  /** The tensor over {@code memory}, which is not copied and must outlive it. */
  static OnnxTensor over(MemorySegment memory, ElementType type, long[] shape) throws OrtException {
    OnnxJavaType javaType = javaType(type).orElseThrow();
    return OnnxTensor.createTensor(
        Compute.environment(),
        memory.asByteBuffer().order(ByteOrder.nativeOrder()),
        shape,
        javaType);
  }

  /** What a session says of one of its values; empty if it is no tensor of a type we know. */
  static Optional<ValueType> type(NodeInfo info) {
    return info.getInfo() instanceof TensorInfo tensor ? type(tensor) : Optional.empty();
  }

  /** The same of a tensor that is there. */
  static Optional<ValueType> type(TensorInfo tensor) {
    // the numbers behind these names are not those of the file format
    String name = tensor.onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", "");
    return Arrays.stream(ElementType.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .map(type -> new ValueType(type, Arrays.stream(tensor.getShape()).boxed().toList()));
  }
}
