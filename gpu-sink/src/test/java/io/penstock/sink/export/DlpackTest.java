package io.penstock.sink.export;

import static io.penstock.sink.export.Tensors.SUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.sink.GccLibrary;
import io.penstock.sink.arena.HostArena;
import io.penstock.sink.arena.HostRegion;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DlpackTest {
  private final AtomicInteger released = new AtomicInteger();

  @BeforeAll
  static void compiler() {
    GccLibrary.needed();
  }

  @Test
  void aLegacyTensorIsReadWhereItLies() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena)) {
      long[] seen =
          CConsumer.call(
              "consume_legacy", Dlpack.legacy(Tensors.view(region), released::incrementAndGet));
      checkTensor(region, seen);
    }
  }

  @Test
  void aVersionedTensorIsReadWhereItLiesAndMustNotBeWritten() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena)) {
      long[] seen =
          CConsumer.call(
              "consume_versioned",
              Dlpack.versioned(Tensors.view(region), released::incrementAndGet));
      checkTensor(region, seen);
      assertThat(seen[CConsumer.MAJOR]).isEqualTo(1);
      assertThat(seen[CConsumer.FLAGS]).as("read only").isEqualTo(1);
    }
  }

  private void checkTensor(HostRegion region, long[] seen) {
    assertThat(seen[CConsumer.DATA]).isEqualTo(region.address() + Tensors.OFFSET);
    assertThat(seen[CConsumer.DEVICE_TYPE]).as("kDLCPU").isEqualTo(1);
    assertThat(seen[CConsumer.DEVICE_ID]).isZero();
    assertThat(seen[CConsumer.NDIM]).isEqualTo(4);
    assertThat(Arrays.copyOfRange(seen, CConsumer.SHAPE, CConsumer.SHAPE + 4))
        .containsExactly(5, 3, 4, 2);
    assertThat(Arrays.copyOfRange(seen, CConsumer.STRIDES, CConsumer.STRIDES + 4))
        .containsExactly(24, 8, 2, 1);
    assertThat(seen[CConsumer.CODE]).as("kDLFloat").isEqualTo(2);
    assertThat(seen[CConsumer.BITS]).isEqualTo(32);
    assertThat(seen[CConsumer.LANES]).isEqualTo(1);
    assertThat(seen[CConsumer.SUM]).isEqualTo(SUM);
    assertThat(released).as("exactly once").hasValue(1);
    assertThat(Export.held()).isZero();
  }

  @Test
  void whatTheRegionDoesNotHoldIsNoTensor() {
    try (HostArena arena = HostArena.heap(4096);
        HostRegion region = arena.allocate(100)) {
      TensorSpec spec = TensorSpec.plain(DType.FLOAT32, 5);
      assertThat(new TensorView(region, 0, spec, 5).address()).isEqualTo(region.address());
      for (long offset : new long[] {-4, 4, 100}) {
        assertThatThrownBy(() -> new TensorView(region, offset, spec, 5))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThatThrownBy(() -> new TensorView(region, 0, spec, -1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
