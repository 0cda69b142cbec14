package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.ipc.ReceivedColumn;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.tensor.TensorField;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * A reader of damaged or hostile streams raises one type of exception and leaks nothing. For
 * longer: {@code -Djqwik.tries.default=1000000}.
 */
class DamagedStreamProperties {
  private static final ReadLimits LIMITS = new ReadLimits(1 << 16, 1 << 20, 100);
  private static final List<byte[]> STREAMS =
      List.of(stream(Compression.NONE), stream(Compression.LZ4), stream(Compression.ZSTD));

  private static byte[] stream(Compression compression) {
    try (BufferAllocator allocator = new RootAllocator()) {
      return Streams.complete(new ArrowBlockSource(allocator), compression);
    }
  }

  @Property
  void damagedMetadata(
      @ForAll @IntRange(max = 2) int which,
      @ForAll @Size(min = 1, max = 3) List<@IntRange(max = 3500) Integer> places,
      @ForAll byte value)
      throws IOException {
    read(STREAMS.get(which), places, value);
  }

  @Property
  void damageAnywhere(
      @ForAll @IntRange(max = 2) int which,
      @ForAll @Size(min = 1, max = 3) List<@IntRange(max = 100_000) Integer> places,
      @ForAll byte value)
      throws IOException {
    read(STREAMS.get(which), places, value);
  }

  @Property
  void anyBytes(@ForAll @Size(max = 300) byte[] bytes) throws IOException {
    read(bytes, List.of(), (byte) 0);
  }

  private static void read(byte[] stream, List<Integer> places, byte value) throws IOException {
    byte[] damaged = stream.clone();
    for (int place : places) {
      damaged[place % damaged.length] = value;
    }
    try (BufferAllocator allocator = new RootAllocator(64 << 20)) {
      BlockSource memory = new ArrowBlockSource(allocator);
      BatchReader reader =
          new BatchReader(Channels.newChannel(new ByteArrayInputStream(damaged)), memory, LIMITS);
      try {
        for (Optional<ReceivedBatch> next = reader.next(); next.isPresent(); next = reader.next()) {
          try (ReceivedBatch batch = next.get()) {
            batch.columns().forEach(DamagedStreamProperties::touch);
          }
        }
      } catch (BatchStreamException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  /** Whatever passed the checks can be read without leaving its buffers. */
  private static void touch(ReceivedColumn column) {
    for (long row = 0; row < column.rows(); row++) {
      column.isNull(row);
      switch (column.field().getType()) {
        case ArrowType.Int _ -> column.integer(row);
        case ArrowType.Utf8 _ -> column.text(row);
        case ArrowType.LargeBinary _ -> column.bytes(row);
        case ArrowType.FixedSizeList _ when TensorField.spec(column.field()).isPresent() ->
            column.tensor(row);
        default -> {}
      }
    }
  }
}
