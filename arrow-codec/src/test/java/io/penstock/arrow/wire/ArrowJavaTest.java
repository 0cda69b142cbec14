package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.ArrowBlockSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrow's own Java reader as a judge of what we write. */
class ArrowJavaTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource
  void readsEveryValue(Compression compression) throws IOException {
    byte[] stream = Streams.complete(new ArrowBlockSource(allocator), compression);
    try (ArrowStreamReader reader = reader(stream)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      assertThat(root.getSchema().getCustomMetadata()).isEqualTo(Streams.METADATA);
      int first = 0;
      for (int rows : Streams.BATCHES) {
        assertThat(reader.loadNextBatch()).isTrue();
        assertThat(root.getRowCount()).isEqualTo(rows);
        for (int i = 0; i < rows; i++) {
          items(root, i, first + i);
          payload(root, i, first + i);
        }
        first += rows;
      }
      assertThat(reader.loadNextBatch()).isFalse();
      assertThat(reader.bytesRead()).isEqualTo(stream.length);
    }
  }

  private static void items(VectorSchemaRoot root, int i, int row) {
    assertThat(((BigIntVector) root.getVector("index")).get(i)).isEqualTo(row);
    ItemHead head = Streams.head(row);
    assertThat(text(root, "key", i)).isEqualTo(head.key());
    assertThat(text(root, "member", i)).isEqualTo(head.member().orElse(null));
    assertThat(text(root, "version_id", i)).isNull();
    assertThat(text(root, "etag", i)).isEqualTo(head.etag().orElse(null));
    BigIntVector label = (BigIntVector) root.getVector("label");
    if (Streams.label(row) instanceof Label.Whole(long value)) {
      assertThat(label.get(i)).isEqualTo(value);
    } else {
      assertThat(label.isNull(i)).isTrue();
    }
    boolean failed = Streams.failed(row);
    assertThat((int) ((UInt2Vector) root.getVector("status")).get(i)).isEqualTo(failed ? 404 : 200);
    assertThat(text(root, "error_code", i)).isEqualTo(failed ? "NoSuchKey" : null);
    assertThat(text(root, "error_message", i)).isEqualTo(failed ? "no key " + row : null);
  }

  private static void payload(VectorSchemaRoot root, int i, int row) {
    LargeVarBinaryVector payload = (LargeVarBinaryVector) root.getVector("payload");
    FixedSizeListVector tensors = (FixedSizeListVector) root.getVector("tensor");
    FixedSizeListVector halves = (FixedSizeListVector) root.getVector("half");
    Float4Vector floats = (Float4Vector) tensors.getDataVector();
    if (Streams.failed(row)) {
      assertThat(payload.isNull(i)).isTrue();
      assertThat(tensors.isNull(i)).isTrue();
      assertThat(halves.isNull(i)).isTrue();
      assertThat(floats.get(i * Streams.TENSOR.elements())).isZero();
      return;
    }
    assertThat(payload.get(i)).isEqualTo(Streams.payload(row));
    for (int e = 0; e < Streams.TENSOR.elements(); e++) {
      assertThat(floats.get(i * Streams.TENSOR.elements() + e)).isEqualTo(Streams.element(row, e));
    }
    Float2Vector half = (Float2Vector) halves.getDataVector();
    for (int e = 0; e < Streams.HALF.elements(); e++) {
      assertThat(half.getValueAsFloat(i * Streams.HALF.elements() + e))
          .isEqualTo(Float.float16ToFloat(Float.floatToFloat16(Streams.element(row, e))));
    }
  }

  private static String text(VectorSchemaRoot root, String column, int row) {
    VarCharVector vector = (VarCharVector) root.getVector(column);
    return vector.isNull(row) ? null : vector.getObject(row).toString();
  }

  @Test
  void readsAStreamWithoutBatches() throws IOException {
    byte[] stream = Streams.empty(new ArrowBlockSource(allocator));
    try (ArrowStreamReader reader = reader(stream)) {
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @Test
  void doesNotTakeAFailedStreamForComplete() throws IOException {
    byte[] stream =
        Streams.failed(
            new ArrowBlockSource(allocator), new StreamError("SlowDown", "try later", true));
    try (ArrowStreamReader reader = reader(stream)) {
      for (int rows : Streams.BATCHES) {
        assertThat(reader.loadNextBatch()).isTrue();
        assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(rows);
      }
      assertThatThrownBy(reader::loadNextBatch).isInstanceOf(IOException.class);
    }
  }

  private ArrowStreamReader reader(byte[] stream) {
    return new ArrowStreamReader(
        new ByteArrayInputStream(stream), allocator, CommonsCompressionFactory.INSTANCE);
  }
}
