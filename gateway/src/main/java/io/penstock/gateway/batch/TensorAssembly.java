package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.tensor.TensorColumn;
import io.penstock.arrow.wire.Item;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.LabelType;
import io.penstock.gateway.s3.S3Error;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of tensors: each item is decoded by a codec thread straight to its place in the column,
 * and its bytes are given back.
 */
final class TensorAssembly implements Assembly {
  private static final Logger LOG = LoggerFactory.getLogger(TensorAssembly.class);

  /** Where the work is done and where its end is told. */
  record Threads(Executor codec, Executor loop, BatchObserver observer, Optional<Kept> kept) {}

  private final Rows rows;
  private final TensorDecoder decoder;
  private final Threads threads;
  private final TensorColumn column;
  private int decoding;
  private boolean discarded;

  /** Takes {@code column} over, which has as many rows as the batch. */
  TensorAssembly(TensorColumn column, LabelType labels, TensorDecoder decoder, Threads threads) {
    this.rows = new Rows(column.rows(), labels);
    this.decoder = decoder;
    this.threads = threads;
    this.column = column;
  }

  @Override
  public int rows() {
    return rows.size();
  }

  @Override
  public void put(int row, PlannedItem item, ItemOutcome outcome, Runnable progressed) {
    switch (outcome) {
      case ItemOutcome.Missing(var head, var status) -> {
        rows.add(row, head, status, item.item().label());
        progressed.run();
      }
      case ItemOutcome.Read read -> {
        decoding++;
        Executor codec = read.made() ? threads.kept().orElseThrow().copying() : threads.codec();
        codec.execute(
            () -> {
              ItemStatus status = read.made() ? copy(row, read) : decode(row, item.item(), read);
              threads.loop().execute(() -> decoded(row, item, read, status, progressed));
            });
      }
    }
  }

  /** On a codec thread. */
  private ItemStatus decode(int row, Item item, ItemOutcome.Read read) {
    long begun = System.nanoTime();
    try {
      List<MemorySegment> segments =
          read.parts().stream().map(part -> MemorySegment.ofBuffer(part.view())).toList();
      decoder.decode(ObjectBytes.of(segments), read.head().index(), column.sample(row));
      column.filled(row);
      threads.kept().ifPresent(kept -> kept.keep(item, read.head(), column.sample(row)));
      return ItemStatus.OK;
    } catch (DecodeException e) {
      return new ItemStatus.Failed(422, e.fault().code(), String.valueOf(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      LOG.error("an item could not be decoded for a reason of our own", e);
      return StoreAnswers.of(
          S3Error.INTERNAL_ERROR, "the decoder failed; the gateway's log has the reason");
    } finally {
      read.release();
      threads.observer().decoded(System.nanoTime() - begun);
    }
  }

  /** On a codec thread, of bytes that are a sample already. */
  private ItemStatus copy(int row, ItemOutcome.Read read) {
    try {
      ByteBuffer sample = column.sample(row).asByteBuffer();
      read.parts().forEach(part -> sample.put(part.view()));
      column.filled(row);
      return ItemStatus.OK;
    } finally {
      read.release();
    }
  }

  private void decoded(
      int row, PlannedItem item, ItemOutcome.Read read, ItemStatus status, Runnable progressed) {
    decoding--;
    if (discarded) {
      if (decoding == 0) {
        column.close();
      }
      return;
    }
    rows.add(row, read.head(), status, item.item().label());
    progressed.run();
  }

  @Override
  public boolean isComplete() {
    return rows.isComplete();
  }

  @Override
  public long bytes() {
    return column.spec().bytesPerSample() * column.rows();
  }

  @Override
  public Optional<ItemOutcome.Missing> firstMissing() {
    return rows.firstMissing();
  }

  @Override
  public int present() {
    return rows.present();
  }

  @Override
  public Sealed seal(long claimed) {
    long held = bytes();
    return new Sealed(rows.size(), held, rows.columns(ColumnBody.tensors(column)));
  }

  @Override
  public void discard() {
    if (!discarded) {
      discarded = true;
      if (decoding == 0) {
        column.close();
      }
    }
  }
}
