package io.penstock.arrow.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TensorSpecTest {
  @Test
  void knowsItsSize() {
    TensorSpec spec = TensorSpec.nchw(DType.FLOAT16, 3, 224, 200);
    assertThat(spec.elements()).isEqualTo(3 * 224 * 200);
    assertThat(spec.bytesPerSample()).isEqualTo(2L * 3 * 224 * 200);
    assertThat(spec.length("C")).isEqualTo(3);
    assertThat(spec.length("W")).isEqualTo(200);
    assertThat(TensorSpec.nhwc(DType.UINT8, 224, 200, 3).length("H")).isEqualTo(224);
  }

  @Test
  void aScalarHasOneElement() {
    assertThat(TensorSpec.plain(DType.INT64).bytesPerSample()).isEqualTo(8);
  }

  @Test
  void bytesMayExceedAnInt() {
    assertThat(TensorSpec.plain(DType.FLOAT64, 1 << 30).bytesPerSample()).isEqualTo(1L << 33);
  }

  @Test
  void refusesShapesThatCannotBe() {
    assertThatThrownBy(() -> TensorSpec.plain(DType.UINT8, 3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> TensorSpec.plain(DType.UINT8, 1 << 16, 1 << 16, 1 << 16, 1 << 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("elements");
    assertThatThrownBy(() -> new TensorSpec(DType.UINT8, List.of(3, 4), Layout.NCHW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[C, H, W]");
    assertThatThrownBy(() -> new TensorSpec(DType.UINT8, Collections.nCopies(33, 1), Layout.PLAIN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 32");
    assertThatThrownBy(() -> TensorSpec.plain(DType.UINT8, 3).length("C"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyTypeIsFoundByItsNameAndByArrows() {
    for (DType type : DType.values()) {
      assertThat(DType.named(type.text())).contains(type);
      assertThat(DType.of(type.arrowType())).contains(type);
    }
    assertThat(DType.named("UINT8")).isEmpty();
    assertThat(DType.names()).startsWith("uint8, int8");
  }
}
