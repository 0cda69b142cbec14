package io.penstock.loadtest.lab.consumer;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.wire.BatchView;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.loadtest.lab.consumer.HttpLine.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * One connection that reads until it is told to stop. A broken or failed answer ends it: figures
 * with failures in them compare nothing.
 *
 * <p>Threading: one thread, its own.
 */
final class Reader {
  private final ReadOrder order;
  private final int number;
  private final LongAdder items;
  private final LongAdder bytes;

  Reader(ReadOrder order, int number, LongAdder items, LongAdder bytes) {
    this.order = order;
    this.number = number;
    this.items = items;
    this.bytes = bytes;
  }

  /** Reads until the thread is interrupted or the nano time has come. */
  void readUntil(long nanos) throws IOException {
    try (var line = new HttpLine(order.endpoint(number))) {
      switch (order.mode()) {
        case SINGLE -> single(line, nanos);
        case BATCH -> {
          for (long n = 0; before(nanos); n++) {
            stream(line.post("/-/batch", order.batchBody(number, n)), nanos);
          }
        }
        case EPOCH -> {
          for (long n = 0; before(nanos); n++) {
            stream(line.post("/-/epochs", order.epochBody(number, n)), nanos);
          }
        }
      }
    }
  }

  private static boolean before(long nanos) {
    return System.nanoTime() < nanos;
  }

  private void single(HttpLine line, long nanos) throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(Math.toIntExact(order.size()));
    for (long n = number; before(nanos); n += order.connections()) {
      Body body = line.get("/bench/" + order.key(n));
      target.clear();
      while (target.hasRemaining() && body.read(target) >= 0) {}
      if (target.hasRemaining() || body.isOpen()) {
        throw new IOException(order.key(n) + " has not the length it should have");
      }
      count(1, order.size());
    }
  }

  /** Reads a stream to its end, or leaves it when the time has come. */
  private void stream(Body body, long nanos) throws IOException {
    var reader = new BatchReader(body, new ReusedBlocks(), ReadLimits.DEFAULT);
    for (Optional<ReceivedBatch> next = reader.next();
        next.isPresent();
        next = before(nanos) ? reader.next() : Optional.empty()) {
      try (ReceivedBatch batch = next.get()) {
        var view = new BatchView(batch);
        for (int row = 0; row < batch.rows(); row++) {
          ItemStatus status = view.status(row);
          if (status != ItemStatus.OK) {
            throw new IOException("an item failed: " + status);
          }
          bytes.add(batch.column("size").integer(row));
        }
        items.add(batch.rows());
      }
    }
    // what follows the end mark: the last chunk
    if (before(nanos)) {
      body.read(ByteBuffer.allocate(1));
    }
  }

  private void count(long more, long length) {
    items.add(more);
    bytes.add(length);
  }

  /** CPU time of this process so far. */
  static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
