package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BinaryColumn;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a batch of raw payloads costs beyond the writing of its bytes: the item columns, the
 * offsets, the metadata, and a visit to every part by a sink that drops it. The counter {@code
 * bytes} is payload bytes a second of one core.
 *
 * <p>{@code loadtest/jmh.sh arrow-codec EncodeBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx1g"})
public class EncodeBenchmark {
  private static final int ROWS = 256;
  private static final int RECEIVED = 256 << 10;

  @Param({"4096", "10240", "102400", "1048576"})
  private int payload;

  private final List<ItemHead> heads = new ArrayList<>();
  private List<BodyPart> parts = List.of();
  private BatchWriter writer;

  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Counted {
    public long bytes;
  }

  private record Part(ByteBuffer buffer) implements BodyPart {
    @Override
    public int bytes() {
      return buffer.remaining();
    }

    @Override
    public ByteBuffer view() {
      return buffer.duplicate();
    }

    @Override
    public void release() {}
  }

  @Setup
  public void begin() {
    ByteBuffer memory = ByteBuffer.allocateDirect(RECEIVED);
    parts = new ArrayList<>();
    for (int left = payload; left > 0; left -= RECEIVED) {
      parts.add(new Part(memory.slice(0, Math.min(left, RECEIVED))));
    }
    for (int row = 0; row < ROWS; row++) {
      heads.add(
          new ItemHead(
              row,
              "train/n%08d/picture-%08d.jpg".formatted(row % 10, row),
              Optional.empty(),
              Optional.empty(),
              Optional.of("\"d41d8cd98f00b204e9800998ecf8427e\""),
              OptionalLong.of(payload)));
    }
    BatchSchema schema =
        new BatchSchema(List.of(PayloadColumn.binary()), LabelType.INT64, Map.of());
    writer = new BatchWriter(schema.arrow(), EncodeBenchmark::drop, BodyCompressor.NONE);
    writer.begin();
  }

  private static CompletionStage<Void> drop(Frame frame) {
    for (BodyPart part : frame.parts()) {
      if (part.view().remaining() != part.bytes()) {
        throw new IllegalStateException("a part of another length");
      }
      part.release();
    }
    return CompletableFuture.completedStage(null);
  }

  @Benchmark
  public CompletionStage<Void> encode(Counted counted) {
    ItemColumns items = new ItemColumns(LabelType.INT64);
    BinaryColumn column = new BinaryColumn();
    for (ItemHead head : heads) {
      items.add(head, ItemStatus.OK, new Label.Whole(head.index() % 10));
      column.add(parts);
    }
    counted.bytes += column.bytes();
    return writer.write(ROWS, items.with(List.of(column.body())));
  }
}
