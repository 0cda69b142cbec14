package io.penstock.sink.client;

import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.wire.BatchRequest;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of one request, in their order. A stream that breaks is opened again at the batch
 * that did not come, as often as {@link RetryPolicy} allows; only what can no more be mended is a
 * {@link GatewayException}. It ends only where the gateway says that it does.
 *
 * <p>Threading: one thread reads; any may {@link #close}, which ends its waiting.
 *
 * <p>Ownership: each batch owns its memory and is closed by who took it, before or after the
 * stream.
 */
public final class BatchStream implements Iterable<ReceivedBatch>, AutoCloseable {
  private static final String ITEMS = "penstock.items";

  private final GatewayClient client;
  private final BatchRequest request;
  private final BlockSource memory;
  private final StreamTap tap;
  private final boolean resumable;
  private Optional<Connection> connection = Optional.empty();
  private Optional<Schema> schema = Optional.empty();
  private long position;
  private int failures;
  private int resumed;
  private boolean ended;
  private volatile Optional<Wire> wire = Optional.empty();
  private volatile boolean closed;

  BatchStream(GatewayClient client, BatchRequest request, BlockSource memory, StreamTap tap) {
    this.client = client;
    this.request = request;
    this.memory = memory;
    this.tap = tap;
    this.resumable = Resumption.possible(request);
    this.position = Resumption.first(request);
  }

  /**
   * The schema of every batch; its metadata says what was done.
   *
   * @throws GatewayException if it cannot be had
   */
  public Schema schema() {
    return schema.orElseGet(
        () ->
            persist(
                () -> {
                  connected();
                  return schema.orElseThrow();
                }));
  }

  /**
   * The next batch, or nothing after the last one.
   *
   * @throws GatewayException if it cannot be had
   * @throws io.penstock.arrow.memory.BlockExhaustedException if {@code memory} says so: close
   *     batches and ask again
   */
  public Optional<ReceivedBatch> next() {
    if (ended) {
      return Optional.empty();
    }
    return persist(this::advance);
  }

  private Optional<ReceivedBatch> advance() throws IOException {
    boolean whole = false;
    try {
      Optional<ReceivedBatch> batch = connected().reader().next();
      whole = true;
      tap.keep();
      failures = 0;
      if (batch.isPresent()) {
        position++;
      } else {
        ended = true;
        disconnect();
      }
      return batch;
    } finally {
      if (!whole) {
        tap.drop();
        disconnect();
      }
    }
  }

  private Connection connected() throws IOException {
    if (connection.isEmpty()) {
      boolean begun = false;
      try {
        Wire opened = client.dial();
        wire = Optional.of(opened);
        if (closed) {
          throw new IOException("closed");
        }
        Connection made = client.call(opened, Resumption.at(request, position), memory, tap);
        begin(made.reader().schema());
        connection = Optional.of(made);
        begun = true;
      } finally {
        if (!begun) {
          tap.drop();
          disconnect();
        }
      }
    }
    return connection.orElseThrow();
  }

  private void begin(Schema came) {
    if (schema.isEmpty()) {
      schema = Optional.of(came);
      tap.keep();
      return;
    }
    tap.drop();
    resumed++;
    Schema before = schema.get();
    if (!came.getFields().equals(before.getFields()) || !items(came).equals(items(before))) {
      throw GatewayException.caller(
          "ListChanged",
          "the list of items is another one than before batch %d: name a version of a manifest"
              .formatted(position));
    }
  }

  private static String items(Schema schema) {
    return schema.getCustomMetadata().getOrDefault(ITEMS, "");
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  /** Tries until it works, or until there is no point in trying. */
  private <T> T persist(Step<T> step) {
    while (!closed) {
      GatewayException failure;
      try {
        return step.take();
      } catch (IOException e) {
        failure = GatewayException.of(e);
      } catch (GatewayException e) {
        failure = e;
      }
      failures++;
      if (!closed) {
        if (!mendable(failure)) {
          throw failure;
        }
        client.pause(failures);
      }
    }
    throw GatewayException.caller("Closed", "the stream was closed before its end");
  }

  private boolean mendable(GatewayException failure) {
    return failure.retryable()
        && failures < client.retries().tries()
        && (resumable || position == Resumption.first(request));
  }

  /** The number of the batch that {@link #next} gives: what {@code resume-at} takes. */
  public long position() {
    return position;
  }

  /** How often the stream was opened again after a break. */
  public int resumed() {
    return resumed;
  }

  /** Walks over what is left; each batch is the caller's to close. */
  @Override
  public Iterator<ReceivedBatch> iterator() {
    return new Iterator<>() {
      private Optional<ReceivedBatch> ahead = Optional.empty();

      @Override
      public boolean hasNext() {
        if (ahead.isEmpty()) {
          ahead = BatchStream.this.next();
        }
        return ahead.isPresent();
      }

      @Override
      public ReceivedBatch next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        ReceivedBatch batch = ahead.orElseThrow();
        ahead = Optional.empty();
        return batch;
      }
    };
  }

  private void disconnect() {
    connection = Optional.empty();
    closeWire();
  }

  private void closeWire() {
    wire.ifPresent(
        open -> {
          try {
            open.close();
          } catch (IOException e) {
            // nothing is left to be saved of it
          }
        });
  }

  @Override
  public void close() {
    closed = true;
    closeWire();
  }
}
