package io.penstock.sink.arena.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A mark in a stream. Every call wants the device's context current.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Ownership: whoever creates one destroys it.
 */
final class Event {
  private final Handle handle = new Handle();
  private final java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofShared();
  private final MemorySegment word = scope.allocate(ValueLayout.JAVA_LONG);

  private Event() {}

  static Event create() {
    Event event = new Event();
    int result = JCudaDriver.cuEventCreate(event.handle, CUevent_flags.CU_EVENT_DISABLE_TIMING);
    if (result != CUresult.CUDA_SUCCESS) {
      event.scope.close();
      throw DriverCall.failure(result, "cuEventCreate");
    }
    event.word.set(ValueLayout.JAVA_LONG, 0, event.handle.value());
    return event;
  }

  /** Address of a word that holds the handle. */
  long wordAddress() {
    return word.address();
  }

  void record(CUstream stream) {
    DriverCall.check(JCudaDriver.cuEventRecord(handle, stream), "cuEventRecord");
  }

  boolean isReached() {
    int result = JCudaDriver.cuEventQuery(handle);
    if (result != CUresult.CUDA_ERROR_NOT_READY) {
      DriverCall.check(result, "a copy to the device");
    }
    return result == CUresult.CUDA_SUCCESS;
  }

  void await() {
    DriverCall.check(JCudaDriver.cuEventSynchronize(handle), "a copy to or from the device");
  }

  void destroy() {
    scope.close();
    DriverCall.check(JCudaDriver.cuEventDestroy(handle), "cuEventDestroy");
  }

  private static final class Handle extends CUevent {
    long value() {
      return getNativePointer();
    }
  }
}
