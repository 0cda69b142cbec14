package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.ArenaKind;
import io.penstock.sink.arena.DeviceRegion;
import io.penstock.sink.arena.Leases;
import io.penstock.sink.arena.Place;
import java.lang.foreign.MemorySegment;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * An arena in the memory of a GPU. What is copied in goes through page-locked buffers and one
 * stream of the arena's own; an event per region marks when it has arrived. Memory is leased again
 * in that stream's order, so a copy that is still on its way never meets its successor.
 *
 * <p>Threading: thread-safe; one copy is prepared at a time.
 *
 * <p>Ownership: owns the device memory, the buffers, the stream and a reference to the context.
 */
final class CudaArena implements Arena {
  /** Both staging buffers: large enough that the start of a copy costs nothing beside it. */
  static final long STAGING_BYTES = 2L << 22;

  private final CudaDevice device;
  private final Leases leases;
  private final DeviceAddress memory;
  private final CUstream stream;
  private final Staging staging;
  private final Object copying = new Object();

  private CudaArena(
      CudaDevice device, long capacity, DeviceAddress memory, CUstream stream, Undo undo) {
    this.device = device;
    this.memory = memory;
    this.stream = stream;
    PinnedSlab buffers = PinnedSlab.allocate(device.id(), STAGING_BYTES);
    undo.add(buffers::close);
    this.staging =
        device.call(
            () -> new Staging(stream, buffers.memory(), step -> undo.add(() -> device.run(step))));
    undo.add(() -> device.run(this::drain));
    this.leases = new Leases(ArenaKind.CUDA, capacity, undo::run);
  }

  /**
   * Takes {@code capacity} bytes of device {@code deviceId}.
   *
   * @throws io.penstock.sink.arena.ArenaException if there is no such device, or no such room on it
   */
  static CudaArena open(int deviceId, long capacity) {
    Undo undo = new Undo();
    try {
      CudaDevice device = CudaDevice.open(deviceId);
      undo.add(device::close);
      DeviceAddress memory = new DeviceAddress();
      CUstream stream = new CUstream();
      device.run(
          () -> {
            DriverCall.check(
                JCudaDriver.cuMemAlloc(memory, capacity),
                "cuMemAlloc of %d bytes".formatted(capacity));
            undo.add(() -> device.run(() -> free(memory)));
            DriverCall.check(
                JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
                "cuStreamCreate");
            undo.add(() -> device.run(() -> destroy(stream)));
          });
      return new CudaArena(device, capacity, memory, stream, undo);
    } catch (RuntimeException e) {
      undo.runAfter(e);
      throw e;
    }
  }

  private static void free(DeviceAddress memory) {
    DriverCall.check(JCudaDriver.cuMemFree(memory), "cuMemFree");
  }

  private static void destroy(CUstream stream) {
    DriverCall.check(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy");
  }

  private void drain() {
    DriverCall.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
  }

  @Override
  public ArenaKind kind() {
    return ArenaKind.CUDA;
  }

  @Override
  public Place place() {
    return new Place(Place.Device.CUDA, device.id());
  }

  @Override
  public long capacity() {
    return leases.capacity();
  }

  @Override
  public long used() {
    return leases.used();
  }

  @Override
  public DeviceRegion allocate(long bytes) {
    return new CudaRegion(this, leases.take(bytes), bytes);
  }

  @Override
  public void close() {
    leases.close();
  }

  CudaDevice device() {
    return device;
  }

  CUstream stream() {
    return stream;
  }

  DeviceAddress memory() {
    return memory;
  }

  Leases leases() {
    return leases;
  }

  long address(long offset) {
    return memory.value() + offset;
  }

  /** Copies to {@code offset} of the arena, then records {@code arrived}. */
  void copyIn(long offset, MemorySegment source, Event arrived) {
    synchronized (copying) {
      device.run(
          () -> {
            staging.copyIn(at(offset), source);
            arrived.record(stream);
          });
    }
  }

  void copyOut(long offset, MemorySegment target) {
    synchronized (copying) {
      device.run(() -> staging.copyOut(at(offset), target));
    }
  }

  private CUdeviceptr at(long offset) {
    return memory.withByteOffset(offset);
  }
}
