package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TableDecoder;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.LabelType;
import io.penstock.gateway.s3.S3Error;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.OversizedAllocationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of tables: objects are kept as they came, and decoded one after the other when the batch
 * is sealed. An item has as many rows as its table, a failed one has one.
 */
final class TableAssembly implements Assembly {
  private static final Logger LOG = LoggerFactory.getLogger(TableAssembly.class);

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
   * @throws BlockExhaustedException if all tables together need more than was claimed
   */
  @Override
  public Sealed seal(long claimed) {
    try (TableMemory memory = new TableMemory(setting.memory(), claimed)) {
      return seal(memory.allocator());
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw new BlockExhaustedException(
          "the tables of one batch need more memory: ask for fewer items a batch", e);
    } finally {
      discard();
    }
  }

  private Sealed seal(BufferAllocator allocator) {
    int[] repeats = new int[arrivals.length];
    TableRows tables = null;
    int before = 0;
    try {
      if (setting.shape().schema().isPresent()) {
        tables = new TableRows(setting.shape().schema().get(), allocator);
      }
      for (int row = 0; row < arrivals.length; row++) {
        Arrival arrival = Objects.requireNonNull(arrivals[row]);
        Decoded decoded = decode(arrival.outcome(), allocator);
        try (VectorSchemaRoot table = decoded.table()) {
          if (tables == null && table != null) {
            tables = new TableRows(setting.shape().schema().orElseThrow(), allocator);
            for (; before > 0; before--) {
              tables.addNull();
            }
          }
          repeats[row] = table == null ? 1 : table.getRowCount();
          if (table != null && tables != null) {
            tables.add(table);
          } else if (tables != null) {
            tables.addNull();
          } else {
            before++;
          }
        }
        rows.add(row, arrival.outcome().head(), decoded.status(), arrival.item().item().label());
      }
      if (tables == null) {
        throw StoreAnswers.exception(rows.firstMissing().orElseThrow());
      }
      return new Sealed(tables.rows(), tables.bytes(), rows.columns(repeats, tables.columns()));
    } finally {
      if (tables != null) {
        tables.close();
      }
    }
  }

  private record Decoded(@Nullable VectorSchemaRoot table, ItemStatus status) {}

  private Decoded decode(ItemOutcome outcome, BufferAllocator allocator) {
    return switch (outcome) {
      case ItemOutcome.Missing(var _, var status) -> new Decoded(null, status);
      case ItemOutcome.Read read -> {
        VectorSchemaRoot table = null;
        try {
          List<MemorySegment> segments =
              read.parts().stream().map(part -> MemorySegment.ofBuffer(part.view())).toList();
          table = setting.decoder().decode(ObjectBytes.of(segments), allocator);
          setting.shape().agree(table.getSchema());
          yield new Decoded(table, ItemStatus.OK);
        } catch (DecodeException e) {
          close(table);
          yield new Decoded(
              null, new ItemStatus.Failed(422, e.fault().code(), String.valueOf(e.getMessage())));
        } catch (RuntimeException | LinkageError e) {
          close(table);
          LOG.error("a table could not be decoded for a reason of our own", e);
          yield new Decoded(
              null,
              StoreAnswers.of(
                  S3Error.INTERNAL_ERROR, "the decoder failed; the gateway's log has the reason"));
        }
      }
    };
  }

  private static void close(@Nullable VectorSchemaRoot table) {
    if (table != null) {
      table.close();
    }
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
