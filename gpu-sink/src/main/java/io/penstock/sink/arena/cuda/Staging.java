package io.penstock.sink.arena.cuda;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Two page-locked buffers between pageable memory and the device: while one is being copied by the
 * device, the processor fills the other. Every call wants the device's context current.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Ownership: the memory is its creator's, who waits for the stream before freeing it.
 */
final class Staging {
  private final CUstream stream;
  private final Buffer[] buffers;
  private int next;

  private record Buffer(MemorySegment memory, Event free) {}

  /**
   * @param memory page-locked, of even length
   * @param register takes what has to be done to give the events back
   */
  Staging(CUstream stream, MemorySegment memory, Consumer<Runnable> register) {
    this.stream = stream;
    long half = memory.byteSize() / 2;
    this.buffers =
        new Buffer[] {
          buffer(memory.asSlice(0, half), register), buffer(memory.asSlice(half, half), register)
        };
  }

  private static Buffer buffer(MemorySegment memory, Consumer<Runnable> register) {
    Event free = Event.create();
    register.accept(free::destroy);
    return new Buffer(memory, free);
  }

  /** Copies {@code source} to the device, in the stream's order; the source is free on return. */
  void copyIn(CUdeviceptr target, MemorySegment source) {
    for (long at = 0; at < source.byteSize(); ) {
      Buffer buffer = take();
      long bytes = Math.min(buffer.memory().byteSize(), source.byteSize() - at);
      MemorySegment.copy(source, at, buffer.memory(), 0, bytes);
      DriverCall.check(
          JCudaDriver.cuMemcpyHtoDAsync(
              target.withByteOffset(at), HostAddress.of(buffer.memory()), bytes, stream),
          "cuMemcpyHtoDAsync of %d bytes".formatted(bytes));
      buffer.free().record(stream);
      at += bytes;
    }
  }

  /** Fills {@code target} from the device, after everything before it in the stream. */
  void copyOut(CUdeviceptr source, MemorySegment target) {
    for (long at = 0; at < target.byteSize(); ) {
      Buffer buffer = take();
      long bytes = Math.min(buffer.memory().byteSize(), target.byteSize() - at);
      DriverCall.check(
          JCudaDriver.cuMemcpyDtoHAsync(
              HostAddress.of(buffer.memory()), source.withByteOffset(at), bytes, stream),
          "cuMemcpyDtoHAsync of %d bytes".formatted(bytes));
      buffer.free().record(stream);
      buffer.free().await();
      MemorySegment.copy(buffer.memory(), 0, target, at, bytes);
      at += bytes;
    }
  }

  private Buffer take() {
    Buffer buffer = buffers[next];
    next = 1 - next;
    buffer.free().await();
    return buffer;
  }
}
