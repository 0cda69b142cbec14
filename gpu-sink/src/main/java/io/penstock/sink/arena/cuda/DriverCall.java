package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.ArenaException;
import io.penstock.sink.arena.ArenaException.Fault;
import jcuda.driver.CUresult;

/** What the driver's answers mean; numbers and names are those of {@code CUresult} in cuda.h. */
final class DriverCall {
  private DriverCall() {}

  /**
   * Takes the answer of a call.
   *
   * @param what the call and what it was for, for the message
   * @throws ArenaException if it failed
   */
  static void check(int result, String what) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw failure(result, what);
    }
  }

  static ArenaException failure(int result, String what) {
    Fault fault = fault(result);
    return new ArenaException(
        fault,
        "%s: the driver answered %d (%s); %s"
            .formatted(what, result, CUresult.stringFor(result), advice(fault)));
  }

  private static Fault fault(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> Fault.OUT_OF_MEMORY;
      case CUresult.CUDA_ERROR_NO_DEVICE,
          CUresult.CUDA_ERROR_INVALID_DEVICE,
          CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUresult.CUDA_ERROR_SYSTEM_NOT_READY,
          CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
          CUresult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE ->
          Fault.UNAVAILABLE;
      case CUresult.CUDA_ERROR_INVALID_CONTEXT, CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED ->
          Fault.WRONG_CONTEXT;
      case CUresult.CUDA_ERROR_DEINITIALIZED,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_UNKNOWN ->
          Fault.DEVICE_LOST;
      default -> Fault.DRIVER;
    };
  }

  private static String advice(Fault fault) {
    return switch (fault) {
      case OUT_OF_MEMORY -> "ask for fewer bytes, or free some on the device";
      case UNAVAILABLE -> "choose another device or another kind of arena";
      case WRONG_CONTEXT -> "somebody has destroyed the device's primary context in this process";
      case DEVICE_LOST -> "its context is broken: start a new process";
      default -> "see the driver's documentation";
    };
  }
}
