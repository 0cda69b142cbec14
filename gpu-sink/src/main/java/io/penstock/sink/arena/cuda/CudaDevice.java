package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.ArenaException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A device and its primary context, which all users of the device in this process share, PyTorch
 * among them. The context is current on the calling thread while a task runs, and the thread's own
 * afterwards.
 *
 * <p>Threading: thread-safe. A task must not wait for a lock: a virtual thread could wake up on
 * another carrier, which has another context.
 *
 * <p>Ownership: holds one reference to the context until closed.
 */
final class CudaDevice implements AutoCloseable {
  private final int id;
  private final CUdevice device;
  private final CUcontext context;

  private CudaDevice(int id, CUdevice device, CUcontext context) {
    this.id = id;
    this.device = device;
    this.context = context;
  }

  /**
   * Opens device {@code id}.
   *
   * @throws ArenaException {@code UNAVAILABLE} if there is no driver or no such device
   */
  static CudaDevice open(int id) {
    try {
      JCudaDriver.setExceptionsEnabled(false);
      return retain(id);
    } catch (LinkageError e) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "no CUDA driver (libcuda.so.1) on this machine, or none that this build can use: install NVIDIA's driver",
          e);
    }
  }

  private static CudaDevice retain(int id) {
    DriverCall.check(JCudaDriver.cuInit(0), "cuInit");
    int[] count = new int[1];
    DriverCall.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    if (id < 0 || id >= count[0]) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "there is no CUDA device %d: this machine has %d, counted from 0"
              .formatted(id, count[0]));
    }
    CUdevice device = new CUdevice();
    DriverCall.check(JCudaDriver.cuDeviceGet(device, id), "cuDeviceGet");
    CUcontext context = new CUcontext();
    DriverCall.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
    return new CudaDevice(id, device, context);
  }

  int id() {
    return id;
  }

  /** What the driver calls it. */
  String name() {
    byte[] name = new byte[256];
    DriverCall.check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
    return new String(name, StandardCharsets.US_ASCII).replace("\0", "");
  }

  /** Runs {@code task} with the context. */
  void run(Runnable task) {
    call(
        () -> {
          task.run();
          return true;
        });
  }

  /** Runs {@code task} with the context. */
  <T> T call(Supplier<T> task) {
    CUcontext before = new CUcontext();
    DriverCall.check(JCudaDriver.cuCtxGetCurrent(before), "cuCtxGetCurrent");
    if (before.equals(context)) {
      return task.get();
    }
    DriverCall.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    try {
      return task.get();
    } finally {
      // its answer is of no use: whoever brought a broken context notices at its next call
      int unused = JCudaDriver.cuCtxSetCurrent(before);
    }
  }

  @Override
  public void close() {
    DriverCall.check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  }
}
