package io.penstock.sink.arena.cuda;

import jcuda.driver.CUdeviceptr;

/** Memory of a device: a number that only the driver may use. */
final class DeviceAddress extends CUdeviceptr {
  long value() {
    return getNativePointer();
  }
}
