package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.ArenaException;
import io.penstock.sink.arena.ArenaException.Fault;
import io.penstock.sink.arena.ArenaKind;
import io.penstock.sink.arena.ArenaProvider;
import io.penstock.sink.arena.Region;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an arena when the driver says no. */
@ExtendWith(LibcudaDouble.class)
class CudaFailureTest {
  @TempDir Path folder;

  @BeforeEach
  void onlyWithTheDouble() {
    LibcudaDouble.needed();
  }

  /** The extension sees that nothing of the half-opened arena is left. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuInit",
        "cuDeviceGetCount",
        "cuDevicePrimaryCtxRetain",
        "cuMemAlloc_v2",
        "cuMemHostAlloc",
        "cuStreamCreate",
        "cuEventCreate"
      })
  void anArenaThatCannotBeOpenedLeavesNothing(String function) {
    for (int after = 0; after < (function.equals("cuEventCreate") ? 2 : 1); after++) {
      LibcudaDouble.fail(function, CUresult.CUDA_ERROR_UNKNOWN, after);
      expect(Fault.DEVICE_LOST, () -> CudaArena.open(0, 4096).close());
    }
  }

  @Test
  void moreThanTheDeviceHasIsOutOfMemory() {
    expect(Fault.OUT_OF_MEMORY, () -> CudaArena.open(0, 1L << 40));
    expect(Fault.OUT_OF_MEMORY, () -> PinnedSlab.arena(0, 1L << 40));
  }

  @Test
  void aDeviceThatIsNotThereIsUnavailable() {
    expect(Fault.UNAVAILABLE, () -> CudaArena.open(1, 4096));
    expect(Fault.UNAVAILABLE, () -> CudaArena.open(-1, 4096));
  }

  @Test
  void aDeviceLostDuringACopySaysSoAndEverythingCanStillBeClosed() {
    Arena arena = CudaArena.open(0, 4096);
    Region region = arena.allocate(100);
    region.copyIn(0, MemorySegment.ofArray(new byte[100]));
    LibcudaDouble.fail("cuEventSynchronize", CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    expect(Fault.DEVICE_LOST, region.readiness()::await);
    expect(Fault.DEVICE_LOST, () -> region.copyOut(0, MemorySegment.ofArray(new byte[1])));
    LibcudaDouble.fail("", 0, 0);
    region.close();
    arena.close();
  }

  @Test
  void aContextThatSomebodyDestroyedIsTheWrongOne() {
    Arena arena = CudaArena.open(0, 4096);
    Region region = arena.allocate(100);
    CUdevice device = new CUdevice();
    assertThat(JCudaDriver.cuDeviceGet(device, 0)).isZero();
    assertThat(JCudaDriver.cuDevicePrimaryCtxReset(device)).isZero();
    expect(Fault.WRONG_CONTEXT, () -> region.copyIn(0, MemorySegment.ofArray(new byte[100])));
    region.close();
    expect(Fault.WRONG_CONTEXT, arena::close);
    assertThat(LibcudaDouble.faults())
        .as("the double has seen it too")
        .contains("use of a destroyed context");
  }

  @Test
  void aThreadKeepsItsOwnContext() throws Exception {
    try (Arena arena = CudaArena.open(0, 4096);
        Region region = arena.allocate(100)) {
      FutureTask<CUcontext> after =
          new FutureTask<>(
              () -> {
                region.copyIn(0, MemorySegment.ofArray(new byte[100]));
                CUcontext current = new CUcontext();
                assertThat(JCudaDriver.cuCtxGetCurrent(current)).isZero();
                return current;
              });
      Thread thread = new Thread(after);
      thread.start();
      assertThat(after.get()).as("it came with none").isEqualTo(new CUcontext());
    }
  }

  @Test
  void theProviderPassesOverADeviceThatFails() {
    ArenaProvider provider = CudaSources.provider(0, folder, "best");
    try (Arena best = provider.best(4096).arena()) {
      assertThat(best.kind()).isEqualTo(ArenaKind.CUDA);
    }
    LibcudaDouble.fail("cuMemAlloc_v2", CUresult.CUDA_ERROR_OUT_OF_MEMORY, 0);
    ArenaProvider.Choice choice = provider.best(4096);
    try (Arena arena = choice.arena()) {
      assertThat(arena.kind()).isEqualTo(ArenaKind.PINNED);
      assertThat(choice.report()).startsWith("pinned; cuda: cuMemAlloc").contains("fewer bytes");
    }
    expect(Fault.UNAVAILABLE, () -> provider.only(ArenaKind.CUDA, 4096));
  }

  private static void expect(Fault fault, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(ArenaException.class))
        .extracting(ArenaException::fault)
        .isEqualTo(fault);
  }
}
