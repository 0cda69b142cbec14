package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.ArenaKind;
import io.penstock.sink.arena.HostArena;
import io.penstock.sink.arena.Place;
import io.penstock.sink.arena.SharedSlab;
import io.penstock.sink.arena.Slab;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import jcuda.driver.JCudaDriver;

/**
 * Page-locked memory of the host: the driver's own, or shared memory that is locked where it lies.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Ownership: owns the memory and a reference to the device.
 */
final class PinnedSlab implements Slab {
  /** Page-locked for every context of the process: {@code CU_MEMHOSTALLOC_PORTABLE}. */
  private static final int PORTABLE = JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;

  private static final int REGISTER_PORTABLE = JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE;

  private final MemorySegment memory;
  private final Place place;
  private final Undo undo;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PinnedSlab(MemorySegment memory, Place place, Undo undo) {
    this.memory = memory;
    this.place = place;
    this.undo = undo;
  }

  /**
   * Memory that the driver allocates.
   *
   * @throws io.penstock.sink.arena.ArenaException if there is no device, or no such room
   */
  static PinnedSlab allocate(int deviceId, long bytes) {
    Undo undo = new Undo();
    try {
      CudaDevice device = device(deviceId, undo);
      HostAddress address = new HostAddress();
      device.run(
          () ->
              DriverCall.check(
                  JCudaDriver.cuMemHostAlloc(address, bytes, PORTABLE),
                  "cuMemHostAlloc of %d bytes".formatted(bytes)));
      undo.add(
          () ->
              device.run(
                  () -> DriverCall.check(JCudaDriver.cuMemFreeHost(address), "cuMemFreeHost")));
      return new PinnedSlab(address.segment(bytes), place(deviceId), undo);
    } catch (RuntimeException e) {
      undo.runAfter(e);
      throw e;
    }
  }

  /**
   * Locks shared memory, so that other processes read it and the device too. Owns {@code shared}
   * from now on, and closes it if this fails.
   *
   * @throws io.penstock.sink.arena.ArenaException if there is no device, or it refuses
   */
  static PinnedSlab register(int deviceId, SharedSlab shared) {
    Undo undo = new Undo();
    undo.add(shared::close);
    try {
      CudaDevice device = device(deviceId, undo);
      HostAddress address = HostAddress.of(shared.memory());
      long bytes = shared.memory().byteSize();
      device.run(
          () ->
              DriverCall.check(
                  JCudaDriver.cuMemHostRegister(address, bytes, REGISTER_PORTABLE),
                  "cuMemHostRegister of %d bytes".formatted(bytes)));
      undo.add(
          () ->
              device.run(
                  () ->
                      DriverCall.check(
                          JCudaDriver.cuMemHostUnregister(address), "cuMemHostUnregister")));
      return new PinnedSlab(shared.memory(), place(deviceId), undo);
    } catch (RuntimeException e) {
      undo.runAfter(e);
      throw e;
    }
  }

  private static CudaDevice device(int id, Undo undo) {
    CudaDevice device = CudaDevice.open(id);
    undo.add(device::close);
    return device;
  }

  private static Place place(int deviceId) {
    return new Place(Place.Device.CUDA_HOST, deviceId);
  }

  /** An arena over page-locked memory of the driver. */
  static HostArena arena(int deviceId, long bytes) {
    return HostArena.over(allocate(deviceId, bytes));
  }

  @Override
  public ArenaKind kind() {
    return ArenaKind.PINNED;
  }

  @Override
  public Place place() {
    return place;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      undo.run();
    }
  }
}
