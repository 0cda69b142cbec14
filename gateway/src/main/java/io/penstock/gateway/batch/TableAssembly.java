package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TableDecoder;
import io.penstock.arrow.memory.TableMemory;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.LabelType;
import io.penstock.arrow.wire.TableBatch;
import io.penstock.arrow.wire.TableShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A batch of tables: objects are kept as they came, and decoded one after the other when the batch
 * is sealed. An item has as many rows as its table, a failed one has one.
 */
final class TableAssembly implements Assembly {
  /** What vectors take before they hold anything. */
  private static final long SMALLEST_ROOM = 8 << 20;

  /** Bytes of vectors, of one table twice, to a byte of an object. */
  private static final long EXPANSION = 16;

  /** What all batches of a stream share. */
  record Setting(TableDecoder decoder, TableShape shape, RunMemory memory) {}

  private record Arrival(PlannedItem item, ItemOutcome outcome) {}

  private final Setting setting;
  private final @Nullable Arrival[] arrivals;
  private final Rows rows;
  private int arrived;
  private long bytes;

  TableAssembly(int size, LabelType labels, Setting setting) {
    this.setting = setting;
    this.arrivals = new Arrival[size];
    this.rows = new Rows(size, labels);
  }

  @Override
  public int rows() {
    return arrivals.length;
  }

  @Override
  public void put(int row, PlannedItem item, ItemOutcome outcome, Runnable progressed) {
    arrivals[row] = new Arrival(item, outcome);
    arrived++;
    bytes += outcome instanceof ItemOutcome.Read read ? read.bytes() : 0;
    progressed.run();
  }

  @Override
  public boolean isComplete() {
    return arrived == arrivals.length;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Before it is sealed, of those that could not be read. */
  @Override
  public Optional<ItemOutcome.Missing> firstMissing() {
    if (rows.isComplete()) {
      return rows.firstMissing();
    }
    return Arrays.stream(arrivals)
        .filter(Objects::nonNull)
        .map(Arrival::outcome)
        .filter(ItemOutcome.Missing.class::isInstance)
        .map(ItemOutcome.Missing.class::cast)
        .findFirst();
  }

  @Override
  public int present() {
    return rows.present();
  }

  @Override
  public long sealing() {
    return Math.min(SMALLEST_ROOM + EXPANSION * bytes, setting.memory().ceiling() / 2);
  }

  /**
   * Decodes all tables.
   *
   * @throws io.penstock.gateway.s3.S3Exception if no table of the stream was decoded yet, and none
   *     can be: there are no columns then
   * @throws io.penstock.arrow.memory.BlockExhaustedException if all tables together need more than
   *     was claimed
   */
  @Override
  public Sealed seal(long claimed) {
    try (TableMemory memory = new TableMemory(claimed, setting.memory()::giveBack);
        TableBatch tables = new TableBatch(setting.decoder(), setting.shape(), memory)) {
      int[] repeats = new int[arrivals.length];
      for (int row = 0; row < arrivals.length; row++) {
        Arrival arrival = Objects.requireNonNull(arrivals[row]);
        int before = tables.rows();
        ItemStatus status = add(arrival.outcome(), tables);
        if (status instanceof ItemStatus.Failed) {
          tables.addNull();
        }
        repeats[row] = tables.rows() - before;
        rows.add(row, arrival.outcome().head(), status, arrival.item().item().label());
      }
      if (!setting.shape().isKnown()) {
        throw StoreAnswers.exception(rows.firstMissing().orElseThrow());
      }
      long held = tables.bytes();
      return new Sealed(tables.rows(), held, rows.columns(repeats, tables.columns()));
    } finally {
      discard();
    }
  }

  private static ItemStatus add(ItemOutcome outcome, TableBatch tables) {
    return switch (outcome) {
      case ItemOutcome.Missing(var _, var status) -> status;
      case ItemOutcome.Read read -> {
        try {
          List<MemorySegment> segments =
              read.parts().stream().map(part -> MemorySegment.ofBuffer(part.view())).toList();
          int _ = tables.add(ObjectBytes.of(segments));
          yield ItemStatus.OK;
        } catch (DecodeException e) {
          yield new ItemStatus.Failed(422, e.fault().code(), String.valueOf(e.getMessage()));
        }
      }
    };
  }

  @Override
  public void discard() {
    for (int row = 0; row < arrivals.length; row++) {
      Arrival arrival = arrivals[row];
      arrivals[row] = null;
      if (arrival != null && arrival.outcome() instanceof ItemOutcome.Read read) {
        read.release();
      }
    }
  }
}
