package io.penstock.sink.ring;

import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ipc.InPlaceReader;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.ring.RingDirectory;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingReader;
import io.penstock.arrow.ring.RingRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The batches of a ring, for a trainer.
 *
 * <pre>{@code
 * var rings = new RingDirectory(RingDirectory.standard(), RingHost.linux(System::nanoTime));
 * try (var sink = RingSink.join(rings, "train", new RingSink.Share(rank, ranks), patience)) {
 *   for (var next = sink.next(); next.isPresent(); next = sink.next()) {
 *     try (Batch batch = next.get()) {
 *       train(batch.column("tensor").tensors());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of its place in the ring. Close every batch before the sink.
 */
public final class RingSink implements AutoCloseable {
  private final RingReader ring;
  private final Share share;
  private final Duration patience;
  private final InPlaceReader decoder =
      new InPlaceReader(
          bytes -> {
            throw new BlockExhaustedException(
                "a compressed batch of %d bytes in a ring: ask for compression none"
                    .formatted(bytes));
          },
          ReadLimits.DEFAULT);
  private Optional<Schema> schema = Optional.empty();
  private boolean over;

  /**
   * Which batches this consumer wants: every {@code of}-th, beginning with number {@code index}. It
   * gives the others back as they come.
   */
  public record Share(int index, int of) {
    /** Every batch. */
    public static final Share ALL = new Share(0, 1);

    /**
     * @throws IllegalArgumentException if there is no such share
     */
    public Share {
      if (of < 1 || index < 0 || index >= of) {
        throw new IllegalArgumentException("no share %d of %d".formatted(index, of));
      }
    }

    boolean has(long batch) {
      return batch % of == index;
    }
  }

  private RingSink(RingReader ring, Share share, Duration patience) {
    this.ring = ring;
    this.share = share;
    this.patience = patience;
  }

  /**
   * Joins a ring.
   *
   * @param patience how long {@link #next} waits for a batch
   */
  public static RingSink join(RingDirectory rings, String name, Share share, Duration patience)
      throws IOException {
    return new RingSink(rings.read(name), share, patience);
  }

  /**
   * The next batch, or nothing after the last one of a complete stream.
   *
   * @throws RingException if it will not come
   * @throws BatchStreamException if the stream failed, with the gateway's reason
   */
  public Optional<Batch> next() throws IOException {
    while (!over) {
      Optional<RingRecord> next = ring.next(patience);
      if (next.isEmpty()) {
        over = true;
        return Optional.empty();
      }
      Optional<Batch> batch = batch(next.get());
      if (batch.isPresent()) {
        return batch;
      }
    }
    return Optional.empty();
  }

  private Optional<Batch> batch(RingRecord record) throws IOException {
    boolean given = false;
    try {
      switch (record.kind()) {
        case SCHEMA -> schema = Optional.of(decoder.schema(record.message()));
        case BATCH -> {
          if (share.has(record.batch())) {
            Batch batch =
                new Batch(
                    record, decoder.batch(schema.orElseThrow(), record.message(), record::close));
            given = true;
            return Optional.of(batch);
          }
        }
        case END, FAILURE -> over = true;
      }
      if (record.kind() == Frame.Kind.FAILURE) {
        // throws with the reason
        decoder.batch(schema.orElseThrow(), record.message(), () -> {}).close();
      }
      return Optional.empty();
    } finally {
      if (!given) {
        record.close();
      }
    }
  }

  /** The schema, known from the first batch on. */
  public Optional<Schema> schema() {
    return schema;
  }

  /** How often this consumer had to sleep for a batch. */
  public long waits() {
    return ring.waits();
  }

  /** Leaves the ring. */
  @Override
  public void close() {
    ring.close();
  }
}
