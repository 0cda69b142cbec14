package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every fault that the double is there for, planted: a judge that cannot fail judges nothing. */
@ExtendWith(LibcudaDouble.class)
class LibcudaDoubleTest {
  private final CUdevice device = new CUdevice();
  private final CUstream stream = new CUstream();
  private final DeviceAddress memory = new DeviceAddress();
  private final HostAddress pinned = new HostAddress();

  @BeforeEach
  void openDevice() {
    LibcudaDouble.needed();
    CUcontext context = new CUcontext();
    ok(JCudaDriver.cuInit(0));
    ok(JCudaDriver.cuDeviceGet(device, 0));
    ok(JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
    ok(JCudaDriver.cuCtxSetCurrent(context));
    ok(JCudaDriver.cuStreamCreate(stream, 0));
    ok(JCudaDriver.cuMemAlloc(memory, 4096));
    ok(JCudaDriver.cuMemHostAlloc(pinned, 4096, 0));
  }

  private void closeDevice() {
    ok(JCudaDriver.cuStreamSynchronize(stream));
    ok(JCudaDriver.cuMemFree(memory));
    ok(JCudaDriver.cuMemFreeHost(pinned));
    ok(JCudaDriver.cuStreamDestroy(stream));
    ok(JCudaDriver.cuDevicePrimaryCtxRelease(device));
    ok(JCudaDriver.cuCtxSetCurrent(new CUcontext()));
  }

  @Test
  void whoKeepsTheRulesIsNotBlamed() {
    ok(JCudaDriver.cuMemcpyHtoDAsync(memory, pinned, 4096, stream));
    closeDevice();
    assertThat(LibcudaDouble.faults()).isEmpty();
  }

  @Test
  void anAsynchronousCopyFromUnpinnedMemory() {
    try (Arena scope = Arena.ofConfined()) {
      HostAddress pageable = HostAddress.of(scope.allocate(4096));
      assertThat(JCudaDriver.cuMemcpyHtoDAsync(memory, pageable, 4096, stream)).isNotZero();
    }
    closeDevice();
    expect("unpinned memory");
  }

  @Test
  void memoryOfTheHostFreedWhileACopyIsPending() {
    ok(JCudaDriver.cuMemcpyHtoDAsync(memory, pinned, 4096, stream));
    ok(JCudaDriver.cuMemFreeHost(pinned));
    ok(JCudaDriver.cuMemHostAlloc(pinned, 4096, 0));
    closeDevice();
    expect("cuMemFreeHost: memory freed while a copy is pending");
  }

  @Test
  void memoryOfTheDeviceFreedWhileACopyIsPending() {
    ok(JCudaDriver.cuMemcpyHtoDAsync(memory, pinned, 4096, stream));
    ok(JCudaDriver.cuMemFree(memory));
    ok(JCudaDriver.cuMemAlloc(memory, 4096));
    closeDevice();
    expect("cuMemFree_v2: memory freed while a copy is pending");
  }

  @Test
  void lockedMemoryUnlockedWhileACopyIsPending() {
    try (Arena scope = Arena.ofConfined()) {
      HostAddress locked = HostAddress.of(scope.allocate(4096));
      ok(JCudaDriver.cuMemHostRegister(locked, 4096, 0));
      ok(JCudaDriver.cuMemcpyHtoDAsync(memory, locked, 4096, stream));
      ok(JCudaDriver.cuMemHostUnregister(locked));
      closeDevice();
    }
    expect("cuMemHostUnregister: memory freed while a copy is pending");
  }

  @Test
  void leaks() {
    ok(JCudaDriver.cuEventCreate(new CUevent(), 0));
    ok(JCudaDriver.cuCtxSetCurrent(new CUcontext()));
    expect(
        "4096 bytes of device memory",
        "4096 bytes of host memory",
        "a stream",
        "an event",
        "context");
  }

  @Test
  void doubleFrees() {
    closeDeviceButNotTheContext();
    assertThat(JCudaDriver.cuMemFree(memory)).isNotZero();
    assertThat(JCudaDriver.cuMemFreeHost(pinned)).isNotZero();
    assertThat(JCudaDriver.cuStreamDestroy(stream)).isNotZero();
    ok(JCudaDriver.cuDevicePrimaryCtxRelease(device));
    ok(JCudaDriver.cuCtxSetCurrent(new CUcontext()));
    assertThat(JCudaDriver.cuDevicePrimaryCtxRelease(device)).isNotZero();
    expect(
        "cuMemFree_v2: double free",
        "cuMemFreeHost: double free",
        "a stream that is none or was destroyed",
        "released more often than retained");
  }

  private void closeDeviceButNotTheContext() {
    ok(JCudaDriver.cuMemFree(memory));
    ok(JCudaDriver.cuMemFreeHost(pinned));
    ok(JCudaDriver.cuStreamDestroy(stream));
  }

  @Test
  void useOfADestroyedContext() {
    closeDeviceButNotTheContext();
    ok(JCudaDriver.cuDevicePrimaryCtxRelease(device));
    assertThat(JCudaDriver.cuMemAlloc(new DeviceAddress(), 1)).isNotZero();
    ok(JCudaDriver.cuCtxSetCurrent(new CUcontext()));
    expect("cuMemAlloc_v2: use of a destroyed context");
  }

  @Test
  void useOfADestroyedEvent() {
    CUevent event = new CUevent();
    ok(JCudaDriver.cuEventCreate(event, 0));
    ok(JCudaDriver.cuEventDestroy(event));
    assertThat(JCudaDriver.cuEventRecord(event, stream)).isNotZero();
    closeDevice();
    expect("an event that is none or was destroyed");
  }

  @Test
  void aMissingSynchronisationReadsTheWrongBytes() {
    MemorySegment bytes = pinned.segment(4096);
    bytes.fill((byte) 1);
    ok(JCudaDriver.cuMemcpyHtoDAsync(memory, pinned, 4096, stream));
    bytes.fill((byte) 2);
    ok(JCudaDriver.cuMemcpyDtoHAsync(pinned, memory, 4096, stream));
    assertThat(bytes.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    ok(JCudaDriver.cuStreamSynchronize(stream));
    assertThat(bytes.get(ValueLayout.JAVA_BYTE, 0))
        .as("the source was overwritten before it was copied")
        .isEqualTo((byte) 2);
    closeDevice();
  }

  @Test
  void theHostCannotTouchMemoryOfTheDevice() throws IOException {
    String start = Long.toHexString(memory.value()) + "-";
    List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
    assertThat(maps)
        .filteredOn(line -> line.startsWith(start))
        .singleElement()
        .asString()
        .contains(" ---p ");
    closeDevice();
  }

  @Test
  void aCallWithoutAContextIsRefused() {
    CUcontext mine = new CUcontext();
    ok(JCudaDriver.cuCtxGetCurrent(mine));
    ok(JCudaDriver.cuCtxSetCurrent(new CUcontext()));
    assertThat(JCudaDriver.cuMemAlloc(new DeviceAddress(), 1)).isNotZero();
    ok(JCudaDriver.cuCtxSetCurrent(mine));
    closeDevice();
  }

  private static void ok(int result) {
    assertThat(result).isZero();
  }

  private static void expect(String... faults) {
    assertThat(LibcudaDouble.faults()).contains(faults);
  }
}
