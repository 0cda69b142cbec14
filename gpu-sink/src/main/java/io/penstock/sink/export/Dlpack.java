package io.penstock.sink.export;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Managed tensors as {@code dlpack.h} lays them out (github.com/dmlc/dlpack): {@code
 * DLManagedTensorVersioned} of version 1.0, and the older {@code DLManagedTensor} that a capsule
 * called {@code dltensor} holds. DLPack has no event, so the bytes have arrived when an export
 * returns.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: the consumer owns the structure, and calls its deleter once.
 */
public final class Dlpack {
  /** {@code DLTensor}: data, device, ndim, dtype, shape, strides, byte_offset. */
  private static final long TENSOR_BYTES = 48;

  private static final long LEGACY_CONTEXT = TENSOR_BYTES;
  private static final long LEGACY_DELETER = LEGACY_CONTEXT + 8;
  private static final long LEGACY_BYTES = LEGACY_DELETER + 8;

  private static final long VERSIONED_CONTEXT = 8;
  private static final long VERSIONED_DELETER = 16;
  private static final long VERSIONED_FLAGS = 24;
  private static final long VERSIONED_TENSOR = 32;
  private static final long VERSIONED_BYTES = VERSIONED_TENSOR + TENSOR_BYTES;
  private static final int MAJOR = 1;

  /** {@code DLPACK_FLAG_BITMASK_READ_ONLY}. */
  private static final long READ_ONLY = 1;

  private static final MemorySegment DELETE_LEGACY =
      Callback.of(structure -> delete(structure, LEGACY_CONTEXT));
  private static final MemorySegment DELETE_VERSIONED =
      Callback.of(structure -> delete(structure, VERSIONED_CONTEXT));

  private Dlpack() {}

  /**
   * A {@code DLManagedTensor} of shape samples x sample.
   *
   * @param released runs once, when the consumer calls the deleter
   * @return its address
   */
  public static long legacy(TensorView view, Runnable released) {
    view.region().readiness().await();
    Export export = Export.of(1, released);
    MemorySegment structure = export.scope().allocate(LEGACY_BYTES, 8);
    tensor(structure, export, view);
    structure.set(ValueLayout.JAVA_LONG, LEGACY_CONTEXT, export.number());
    structure.set(ValueLayout.ADDRESS, LEGACY_DELETER, DELETE_LEGACY);
    return structure.address();
  }

  /**
   * A {@code DLManagedTensorVersioned} of shape samples x sample, which the consumer must not
   * write.
   *
   * @param released runs once, when the consumer calls the deleter
   * @return its address
   */
  public static long versioned(TensorView view, Runnable released) {
    view.region().readiness().await();
    Export export = Export.of(1, released);
    MemorySegment structure = export.scope().allocate(VERSIONED_BYTES, 8);
    structure.set(ValueLayout.JAVA_INT, 0, MAJOR);
    structure.set(ValueLayout.JAVA_LONG, VERSIONED_CONTEXT, export.number());
    structure.set(ValueLayout.ADDRESS, VERSIONED_DELETER, DELETE_VERSIONED);
    structure.set(ValueLayout.JAVA_LONG, VERSIONED_FLAGS, READ_ONLY);
    tensor(structure.asSlice(VERSIONED_TENSOR), export, view);
    return structure.address();
  }

  private static void tensor(MemorySegment tensor, Export export, TensorView view) {
    TensorSpec spec = view.spec();
    int dimensions = 1 + spec.shape().size();
    MemorySegment shape = export.scope().allocate(ValueLayout.JAVA_LONG, dimensions);
    MemorySegment strides = export.scope().allocate(ValueLayout.JAVA_LONG, dimensions);
    long stride = 1;
    for (int i = dimensions - 1; i >= 0; i--) {
      long length = i == 0 ? view.samples() : spec.shape().get(i - 1);
      shape.setAtIndex(ValueLayout.JAVA_LONG, i, length);
      strides.setAtIndex(ValueLayout.JAVA_LONG, i, stride);
      stride *= length;
    }
    tensor.set(ValueLayout.JAVA_LONG, 0, view.address());
    tensor.set(ValueLayout.JAVA_INT, 8, view.region().place().device().code());
    tensor.set(ValueLayout.JAVA_INT, 12, view.region().place().id());
    tensor.set(ValueLayout.JAVA_INT, 16, dimensions);
    tensor.set(ValueLayout.JAVA_BYTE, 20, code(spec.dtype()));
    tensor.set(ValueLayout.JAVA_BYTE, 21, (byte) (spec.dtype().bytes() * Byte.SIZE));
    tensor.set(ValueLayout.JAVA_SHORT, 22, (short) 1);
    tensor.set(ValueLayout.ADDRESS, 24, shape);
    tensor.set(ValueLayout.ADDRESS, 32, strides);
    tensor.set(ValueLayout.JAVA_LONG, 40, 0);
  }

  /** {@code DLDataTypeCode}. */
  private static byte code(DType dtype) {
    return switch (dtype) {
      case INT8, INT16, INT32, INT64 -> 0;
      case UINT8, UINT16, UINT32, UINT64 -> 1;
      case FLOAT16, FLOAT32, FLOAT64 -> 2;
    };
  }

  private static void delete(MemorySegment structure, long context) {
    Export.release(structure.reinterpret(context + Long.BYTES).get(ValueLayout.JAVA_LONG, context));
  }
}
