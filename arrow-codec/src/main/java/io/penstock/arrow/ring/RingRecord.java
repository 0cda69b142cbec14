package io.penstock.arrow.ring;

import io.penstock.arrow.ipc.Frame;
import java.lang.foreign.MemorySegment;

/**
 * One record of a ring: an encapsulated Arrow message with its body, where it lies in shared
 * memory, aligned to 64 bytes.
 *
 * <p>Threading: any thread reads and closes.
 *
 * <p>Ownership: the bytes stay the ring's and are kept from being overwritten until {@link #close};
 * a consumer that is cut off meanwhile learns it from {@link #verify}.
 */
public final class RingRecord implements AutoCloseable {
  private final Frame.Kind kind;
  private final long batch;
  private final MemorySegment message;
  private final RingReader reader;
  private final long end;
  private boolean released;

  RingRecord(RingReader reader, Frame.Kind kind, long batch, MemorySegment message, long end) {
    this.reader = reader;
    this.kind = kind;
    this.batch = batch;
    this.message = message;
    this.end = end;
  }

  public Frame.Kind kind() {
    return kind;
  }

  /** The number of this batch in the ring, from 0; of anything else, of the batch after it. */
  public long batch() {
    return batch;
  }

  /** The bytes, read-only. */
  public MemorySegment message() {
    return message;
  }

  /**
   * To be called after the bytes were used, before what came of them is believed.
   *
   * @throws RingException with CUT_OFF if they may have been overwritten meanwhile
   */
  public void verify() throws RingException {
    reader.verify();
  }

  /** Gives the bytes back, once; in any order. */
  @Override
  public void close() {
    reader.release(this);
  }

  long end() {
    return end;
  }

  // guarded by the reader
  boolean isReleased() {
    return released;
  }

  void markReleased() {
    released = true;
  }
}
