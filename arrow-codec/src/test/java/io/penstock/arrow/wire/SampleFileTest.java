package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.decode.ArraySpec;
import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of one sample, read by the decoder for npy and by Arrow's own Java reader. */
class SampleFileTest {
  static Stream<TensorSpec> forms() {
    return Stream.concat(
        Stream.of(DType.values()).map(dtype -> TensorSpec.plain(dtype, 5)),
        Stream.of(
            TensorSpec.plain(DType.FLOAT32),
            TensorSpec.plain(DType.FLOAT32, 1),
            TensorSpec.nchw(DType.FLOAT32, 3, 7, 5),
            TensorSpec.plain(DType.INT64, 2, 3, 4, 5, 6)));
  }

  private static byte[] sample(TensorSpec spec) {
    byte[] bytes = new byte[(int) spec.bytesPerSample()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 60 + 1);
    }
    return bytes;
  }

  private static byte[] whole(SampleFile file, byte[] sample) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(file.before());
    out.writeBytes(sample);
    out.writeBytes(file.after());
    assertThat(file.payload()).isEqualTo(sample.length);
    assertThat(file.length()).isEqualTo(out.size());
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void npyIsReadBack(TensorSpec spec) throws DecodeException {
    byte[] sample = sample(spec);
    byte[] file = whole(SampleFile.npy(spec), sample);
    assertThat((file.length - sample.length) % 64).isZero();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment read = arena.allocate(sample.length, 64);
      TensorSpec plain = TensorSpec.plain(spec.dtype(), spec.shape().toArray(Integer[]::new));
      Decoders.tensors(ArraySpec.of(plain), DecodeLimits.DEFAULTS)
          .decode(ObjectBytes.of(MemorySegment.ofArray(file)), 0, read);
      assertThat(read.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sample);
    }
  }

  @Test
  void arrowIsReadBack() throws IOException {
    TensorSpec spec = TensorSpec.nchw(DType.FLOAT32, 3, 7, 5);
    byte[] sample = sample(spec);
    byte[] file = whole(SampleFile.arrow(spec, Map.of("what", "this")), sample);
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(file), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(reader.getVectorSchemaRoot().getSchema().getCustomMetadata())
          .containsEntry("what", "this");
      FixedSizeListVector tensors =
          (FixedSizeListVector) reader.getVectorSchemaRoot().getVector("tensor");
      assertThat(tensors.getValueCount()).isEqualTo(1);
      byte[] read = new byte[sample.length];
      tensors.getDataVector().getDataBuffer().getBytes(0, read);
      assertThat(read).isEqualTo(sample);
      assertThat(reader.loadNextBatch()).isFalse();
      assertThat(reader.bytesRead()).isEqualTo(file.length);
    }
  }
}
