package io.penstock.sink.arena.cuda;

import java.lang.foreign.MemorySegment;
import jcuda.Pointer;

/** Memory of the host, as JCuda takes it. */
final class HostAddress extends Pointer {
  /** To be filled by the driver. */
  HostAddress() {}

  private HostAddress(long address) {
    super(address);
  }

  static HostAddress of(MemorySegment memory) {
    return new HostAddress(memory.address());
  }

  MemorySegment segment(long bytes) {
    return MemorySegment.ofAddress(getNativePointer()).reinterpret(bytes);
  }
}
