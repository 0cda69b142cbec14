package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.BatchStreamException.Reason;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.tensor.TensorField;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchRoundTripTest {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final BufferAllocator allocator = new RootAllocator();
  private final BlockSource memory = new ArrowBlockSource(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyValueComesBack(Compression compression) throws IOException {
    BatchReader reader = reader(Streams.complete(memory, compression));
    assertThat(reader.schema()).isEqualTo(Streams.schema(TensorField.Form.EXTENSION).arrow());
    int first = 0;
    for (int rows : Streams.BATCHES) {
      try (ReceivedBatch batch = reader.next().orElseThrow()) {
        assertThat(batch.rows()).isEqualTo(rows);
        check(batch, first);
      }
      first += rows;
    }
    assertThat(reader.next()).isEmpty();
    assertThat(reader.next()).isEmpty();
  }

  private static void check(ReceivedBatch batch, int first) {
    BatchView view = new BatchView(batch);
    assertThat(view.tensorSpec("tensor")).contains(Streams.TENSOR);
    assertThat(view.tensorSpec("half")).contains(Streams.HALF);
    assertThat(view.tensorSpec("payload")).isEmpty();
    for (int i = 0; i < batch.rows(); i++) {
      int row = first + i;
      assertThat(view.head(i)).isEqualTo(Streams.head(row));
      assertThat(view.status(i)).isEqualTo(Streams.status(row));
      assertThat(view.label(i)).isEqualTo(Streams.label(row));
      boolean failed = Streams.failed(row);
      assertThat(batch.column("payload").bytes(i).map(MemorySegment::asByteBuffer))
          .isEqualTo(
              failed ? Optional.empty() : Optional.of(ByteBuffer.wrap(Streams.payload(row))));
      assertThat(batch.column("tensor").isNull(i)).isEqualTo(failed);
      for (int e = 0; e < Streams.TENSOR.elements(); e++) {
        float value =
            batch
                .column("tensor")
                .tensors()
                .getAtIndex(FLOAT, (long) i * Streams.TENSOR.elements() + e);
        assertThat(value).isEqualTo(failed ? 0 : Streams.element(row, e));
      }
    }
  }

  @Test
  void aFailedStreamRaisesWhatItsWriterSaid() throws IOException {
    StreamError error = new StreamError("SlowDown", "the store is busy: \"try\" later", true);
    BatchReader reader = reader(Streams.failed(memory, error));
    drain(reader, Streams.BATCHES.size());
    assertThatThrownBy(reader::next)
        .isInstanceOfSatisfying(
            BatchStreamException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.FAILED);
              assertThat(e.error()).contains(error);
              assertThat(e.retryable()).isTrue();
            });
    assertThatThrownBy(reader::next).isInstanceOf(BatchStreamException.class);
  }

  @Test
  void aStreamWithoutItsEndIsTruncatedWhereverItStops() throws IOException {
    byte[] stream = Streams.complete(memory, Compression.NONE);
    for (int length = 0; length < stream.length; length += length % 64 == 0 ? 1 : 7) {
      BatchReader reader = reader(Arrays.copyOf(stream, length));
      assertThatThrownBy(() -> drain(reader, Integer.MAX_VALUE))
          .as("cut to %d bytes", length)
          .isInstanceOfSatisfying(
              BatchStreamException.class,
              e -> {
                assertThat(e.reason()).isEqualTo(Reason.TRUNCATED);
                assertThat(e.retryable()).isTrue();
              });
    }
  }

  @Test
  void nothingIsAllocatedOnAStrangersWord() throws IOException {
    byte[] stream = Streams.complete(memory, Compression.ZSTD);
    ReadLimits small = new ReadLimits(1 << 20, 1000, 100);
    BatchReader bodies =
        new BatchReader(Channels.newChannel(new ByteArrayInputStream(stream)), memory, small);
    assertThatThrownBy(() -> drain(bodies, Integer.MAX_VALUE))
        .isInstanceOfSatisfying(
            BatchStreamException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
    ReadLimits few = new ReadLimits(1 << 20, 1 << 20, 5);
    BatchReader fields =
        new BatchReader(Channels.newChannel(new ByteArrayInputStream(stream)), memory, few);
    assertThatThrownBy(fields::schema)
        .isInstanceOfSatisfying(
            BatchStreamException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
  }

  private static void drain(BatchReader reader, int batches) throws IOException {
    for (int i = 0; i < batches; i++) {
      var next = reader.next();
      if (next.isEmpty()) {
        return;
      }
      next.get().close();
    }
  }

  private BatchReader reader(byte[] stream) {
    return new BatchReader(
        Channels.newChannel(new ByteArrayInputStream(stream)), memory, ReadLimits.DEFAULT);
  }
}
