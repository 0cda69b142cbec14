package io.penstock.sink.arena;

/**
 * Which device may read memory at its address, in the words of Arrow's C Device Data Interface and
 * of DLPack, which share these numbers.
 *
 * @param device kind of device
 * @param id which of them, from 0; always 0 for the processor
 */
public record Place(Device device, int id) {
  /** Memory that only processors read. */
  public static final Place CPU = new Place(Device.CPU, 0);

  /**
   * Kinds of devices, with the number that {@code dlpack.h} and Arrow's {@code abi.h} give them.
   */
  public enum Device {
    CPU(1),
    CUDA(2),
    CUDA_HOST(3);

    private final int code;

    Device(int code) {
      this.code = code;
    }

    /** {@code kDLCPU}, {@code ARROW_DEVICE_CUDA}, ... */
    public int code() {
      return code;
    }
  }
}
