package io.penstock.sink.arena.cuda;

import io.penstock.sink.arena.ArenaException;
import io.penstock.sink.arena.Region;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * Measures how fast bytes reach the device, for {@code gpu-check.sh}: a table of GB/s (10^9 bytes)
 * on standard output. Exit code 3 if there is no device, 1 if it failed.
 */
final class CudaBandwidth {
  /** What a script takes for "nothing was checked". */
  private static final int NO_DEVICE = 3;

  /** Each figure moves so many bytes, so that small copies are many. */
  private static final long BYTES_A_FIGURE = 4L << 30;

  private static final int[] SIZES = {1 << 16, 1 << 20, 1 << 24, 1 << 28};

  private CudaBandwidth() {}

  /** Takes the number of the device, 0 if none is given. */
  public static void main(String[] arguments) {
    int id = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
    try (CudaDevice device = CudaDevice.open(id)) {
      System.out.printf("device %d: %s%n", id, device.name());
      table(device, System.out);
    } catch (ArenaException e) {
      System.err.println(e.getMessage());
      System.exit(e.fault() == ArenaException.Fault.UNAVAILABLE ? NO_DEVICE : 1);
    }
  }

  private static void table(CudaDevice device, PrintStream out) {
    out.println(
        "| bytes | pinned to device | pageable to device | device to pinned | arena copyIn |");
    out.println("|---|---|---|---|---|");
    int largest = SIZES[SIZES.length - 1];
    try (Arena scope = Arena.ofShared();
        PinnedSlab pinned = PinnedSlab.allocate(device.id(), largest);
        CudaArena arena = CudaArena.open(device.id(), largest);
        Region region = arena.allocate(largest)) {
      MemorySegment pageable = scope.allocate(largest, 4096).fill((byte) 1);
      CUstream stream = arena.stream();
      for (int bytes : SIZES) {
        out.printf(
            Locale.ROOT,
            "| %d | %.2f | %.2f | %.2f | %.2f |%n",
            bytes,
            rate(bytes, device, stream, () -> toDevice(arena, pinned.memory(), bytes)),
            rate(bytes, device, stream, () -> toDevice(arena, pageable, bytes)),
            rate(bytes, device, stream, () -> toHost(arena, pinned.memory(), bytes)),
            rate(bytes, device, stream, () -> region.copyIn(0, pageable.asSlice(0, bytes))));
      }
    }
  }

  private static void toDevice(CudaArena arena, MemorySegment source, long bytes) {
    DriverCall.check(
        JCudaDriver.cuMemcpyHtoDAsync(
            arena.memory(), HostAddress.of(source), bytes, arena.stream()),
        "cuMemcpyHtoDAsync");
  }

  private static void toHost(CudaArena arena, MemorySegment target, long bytes) {
    DriverCall.check(
        JCudaDriver.cuMemcpyDtoHAsync(
            HostAddress.of(target), arena.memory(), bytes, arena.stream()),
        "cuMemcpyDtoHAsync");
  }

  /** GB/s of the second of two rounds. */
  private static double rate(int bytes, CudaDevice device, CUstream stream, Runnable copy) {
    long copies = Math.max(4, BYTES_A_FIGURE / bytes);
    return device.call(
        () -> {
          double rate = 0;
          for (int round = 0; round < 2; round++) {
            long start = System.nanoTime();
            for (long i = 0; i < copies; i++) {
              copy.run();
            }
            DriverCall.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
            rate = (double) bytes * copies / (System.nanoTime() - start);
          }
          return rate;
        });
  }
}
