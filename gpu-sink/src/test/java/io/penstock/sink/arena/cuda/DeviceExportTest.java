package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.Region;
import io.penstock.sink.export.CDataExport;
import io.penstock.sink.export.Dlpack;
import io.penstock.sink.export.TensorView;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What consumers are told of memory of a device; offsets are those of abi.h and dlpack.h. */
@ExtendWith(LibcudaDouble.class)
class DeviceExportTest {
  private static final TensorSpec SPEC = TensorSpec.plain(DType.UINT8, 10);

  private final AtomicInteger released = new AtomicInteger();

  @Test
  void memoryOfTheDeviceNamesItAndTheEventToWaitFor() throws Throwable {
    try (Arena arena = CudaArena.open(0, 4096);
        Region region = arena.allocate(100);
        java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofConfined()) {
      region.copyIn(0, MemorySegment.ofArray(new byte[100]));
      MemorySegment array = scope.allocate(CDataExport.DEVICE_ARRAY_BYTES, 8);
      CDataExport.deviceArray(view(region), array.address(), released::incrementAndGet);
      assertThat(array.get(ValueLayout.JAVA_LONG, 80)).as("device_id").isZero();
      assertThat(array.get(ValueLayout.JAVA_INT, 88)).as("ARROW_DEVICE_CUDA").isEqualTo(2);
      assertThat(array.get(ValueLayout.ADDRESS, 96).reinterpret(8).get(ValueLayout.JAVA_LONG, 0))
          .as("a CUevent")
          .isNotZero();
      call(array.get(ValueLayout.ADDRESS, 64), array);
      assertThat(released).hasValue(1);
      assertThatThrownBy(
              () -> CDataExport.array(view(region), array.address(), released::incrementAndGet))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void pinnedMemoryIsTheProcessorsAndTheDevices() throws Throwable {
    try (Arena arena = PinnedSlab.arena(0, 4096);
        Region region = arena.allocate(100);
        java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofConfined()) {
      MemorySegment array = scope.allocate(CDataExport.DEVICE_ARRAY_BYTES, 8);
      CDataExport.deviceArray(view(region), array.address(), released::incrementAndGet);
      assertThat(array.get(ValueLayout.JAVA_INT, 88)).as("ARROW_DEVICE_CUDA_HOST").isEqualTo(3);
      assertThat(array.get(ValueLayout.JAVA_LONG, 96)).as("nothing to wait for").isZero();
      call(array.get(ValueLayout.ADDRESS, 64), array);
      assertThat(released).hasValue(1);
    }
  }

  @Test
  void dlpackHasNoEventSoItsBytesHaveArrived() throws Throwable {
    try (Arena arena = CudaArena.open(0, 4096);
        Region region = arena.allocate(100)) {
      region.copyIn(0, MemorySegment.ofArray(new byte[100]));
      long address = Dlpack.legacy(view(region), released::incrementAndGet);
      assertThat(region.readiness().isReady()).isTrue();
      MemorySegment tensor = MemorySegment.ofAddress(address).reinterpret(64);
      assertThat(tensor.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(region.address());
      assertThat(tensor.get(ValueLayout.JAVA_INT, 8)).as("kDLCUDA").isEqualTo(2);
      call(tensor.get(ValueLayout.ADDRESS, 56), tensor);
      assertThat(released).hasValue(1);
    }
  }

  private static TensorView view(Region region) {
    return new TensorView(region, 0, SPEC, 10);
  }

  private static void call(MemorySegment function, MemorySegment structure) throws Throwable {
    Linker.nativeLinker()
        .downcallHandle(function, FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
        .invokeWithArguments(structure);
  }
}
