package io.penstock.sink.export;

import io.penstock.sink.arena.DeviceRegion;
import io.penstock.sink.arena.Place;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Columns of tensors by Arrow's C Data Interface and C Device Data Interface (arrow.apache.org,
 * Format): a fixed-size list of a sample's elements, of the type that {@code TensorField} declares.
 * No column has nulls. A consumer may move the child array out and keep it for itself.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: the structure's memory is the consumer's; what it points to is this export's until
 * its {@code release} is called.
 */
public final class CDataExport {
  /** Length of {@code struct ArrowArray} in bytes. */
  public static final long ARRAY_BYTES = 80;

  /** Length of {@code struct ArrowDeviceArray} in bytes. */
  public static final long DEVICE_ARRAY_BYTES = 128;

  private static final long BUFFERS = 40;
  private static final long CHILDREN = 48;
  private static final long RELEASE = 64;
  private static final long PRIVATE_DATA = 72;
  private static final long DEVICE_ID = 80;
  private static final long DEVICE_TYPE = 88;
  private static final long SYNC_EVENT = 96;

  /** The processor's device id, in these interfaces. */
  private static final long NO_ID = -1;

  private static final MemorySegment RELEASE_CALLBACK = Callback.of(CDataExport::release);

  private CDataExport() {}

  /**
   * Fills an {@code ArrowArray}, for consumers on the processor. The bytes have arrived when this
   * returns.
   *
   * @param array address of {@value #ARRAY_BYTES} bytes
   * @param released runs once, when the consumer has released all of it
   * @throws IllegalArgumentException if the processor cannot read the region
   */
  public static void array(TensorView view, long array, Runnable released) {
    if (view.region() instanceof DeviceRegion) {
      throw new IllegalArgumentException(
          "the C Data Interface is for memory of the host: export a device array instead");
    }
    view.region().readiness().await();
    fill(MemorySegment.ofAddress(array).reinterpret(ARRAY_BYTES), view, released);
  }

  /**
   * Fills an {@code ArrowDeviceArray}. The consumer waits for its {@code sync_event} before it
   * reads, if there is one.
   *
   * @param array address of {@value #DEVICE_ARRAY_BYTES} bytes
   * @param released runs once, when the consumer has released all of it
   */
  public static void deviceArray(TensorView view, long array, Runnable released) {
    MemorySegment structure = MemorySegment.ofAddress(array).reinterpret(DEVICE_ARRAY_BYTES);
    structure.fill((byte) 0);
    fill(structure, view, released);
    Place place = view.region().place();
    long id =
        switch (place.device()) {
          case CPU -> NO_ID;
          case CUDA, CUDA_HOST -> place.id();
        };
    structure.set(ValueLayout.JAVA_LONG, DEVICE_ID, id);
    structure.set(ValueLayout.JAVA_INT, DEVICE_TYPE, place.device().code());
    structure.set(ValueLayout.JAVA_LONG, SYNC_EVENT, view.region().readiness().eventAddress());
  }

  private static void fill(MemorySegment list, TensorView view, Runnable released) {
    Export export = Export.of(2, released);
    MemorySegment elements = export.scope().allocate(ARRAY_BYTES, 8);
    long count = view.samples() * view.spec().elements();
    MemorySegment values = export.scope().allocate(ValueLayout.JAVA_LONG, 2);
    values.setAtIndex(ValueLayout.JAVA_LONG, 1, view.address());
    head(elements, count, 2, 0, export);
    elements.set(ValueLayout.ADDRESS, BUFFERS, values);
    head(list, view.samples(), 1, 1, export);
    list.set(ValueLayout.ADDRESS, BUFFERS, export.scope().allocate(ValueLayout.JAVA_LONG, 1));
    list.set(
        ValueLayout.ADDRESS, CHILDREN, export.scope().allocateFrom(ValueLayout.ADDRESS, elements));
  }

  /** length, null_count, offset, n_buffers, n_children, ..., release, private_data. */
  private static void head(
      MemorySegment array, long length, int buffers, int children, Export export) {
    array.asSlice(0, ARRAY_BYTES).fill((byte) 0);
    array.set(ValueLayout.JAVA_LONG, 0, length);
    array.set(ValueLayout.JAVA_LONG, 24, buffers);
    array.set(ValueLayout.JAVA_LONG, 32, children);
    array.set(ValueLayout.ADDRESS, RELEASE, RELEASE_CALLBACK);
    array.set(ValueLayout.JAVA_LONG, PRIVATE_DATA, export.number());
  }

  /** As the specification has it: children first, unless they were moved; then the mark. */
  private static void release(MemorySegment address) {
    MemorySegment array = address.reinterpret(ARRAY_BYTES);
    if (array.get(ValueLayout.JAVA_LONG, 32) == 1) {
      MemorySegment child =
          array
              .get(ValueLayout.ADDRESS, CHILDREN)
              .reinterpret(8)
              .get(ValueLayout.ADDRESS, 0)
              .reinterpret(ARRAY_BYTES);
      if (child.get(ValueLayout.JAVA_LONG, RELEASE) != 0) {
        release(child);
      }
    }
    long export = array.get(ValueLayout.JAVA_LONG, PRIVATE_DATA);
    array.set(ValueLayout.JAVA_LONG, RELEASE, 0);
    Export.release(export);
  }
}
