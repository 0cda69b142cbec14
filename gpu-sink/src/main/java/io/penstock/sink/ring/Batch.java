package io.penstock.sink.ring;

import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.ipc.ReceivedColumn;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingRecord;

/**
 * One batch in shared memory.
 *
 * <p>Threading: any number of readers, until it is closed.
 *
 * <p>Ownership: columns are views into the ring, good until {@link #close}, which lets the producer
 * use the memory again. Batches may be closed in any order; the oldest that is open holds up all
 * that come after it.
 */
public final class Batch implements AutoCloseable {
  private final long number;
  private final ReceivedBatch batch;
  private final RingRecord record;
  private boolean closed;

  Batch(RingRecord record, ReceivedBatch batch) {
    this.number = record.batch();
    this.record = record;
    this.batch = batch;
  }

  /** The number of the batch in the ring, from 0. */
  public long number() {
    return number;
  }

  public int rows() {
    return batch.rows();
  }

  /**
   * The column of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ReceivedColumn column(String name) {
    return batch.column(name);
  }

  /** All columns, for views of the batch protocol. */
  public ReceivedBatch columns() {
    return batch;
  }

  /**
   * Gives the memory back, once.
   *
   * @throws RingException with CUT_OFF if this consumer was too slow, and what it has read of this
   *     batch may be wrong
   */
  @Override
  public void close() throws RingException {
    if (!closed) {
      closed = true;
      try {
        record.verify();
      } finally {
        batch.close();
      }
    }
  }
}
