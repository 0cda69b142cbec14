package io.penstock.arrow.ring;

import static io.penstock.arrow.ring.RingLayout.RECORD;

import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ring.RingException.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * One consumer of a ring. Records come in order and lie in shared memory; the producer does not
 * touch one before this consumer has closed it and all before it.
 *
 * <p>Threading: one thread asks for records and closes; records are closed by any.
 *
 * <p>Ownership: of its slot and its mapping, which outlives no record: close them first.
 */
public final class RingReader implements AutoCloseable {
  private static final Duration NAP = Duration.ofMillis(100);
  private static final long LOOK_AROUND = Duration.ofMillis(500).toNanos();

  /** How long a successor of a dead producer may take: well below the 5 s that are promised. */
  private static final long GRACE = Duration.ofSeconds(2).toNanos();

  private final RingMemory memory;
  private final RingHost host;
  private final long slot;
  private final long ticket;
  private final ArrayDeque<RingRecord> held = new ArrayDeque<>();
  private long position;
  private long waits;
  private boolean late;
  private boolean closed;

  private RingReader(RingMemory memory, RingHost host, long slot, long ticket) {
    this.memory = memory;
    this.host = host;
    this.slot = slot;
    this.ticket = ticket;
  }

  /** Takes a slot; the caller holds the file's lock. */
  static RingReader join(RingMemory memory, RingHost host) throws RingException {
    for (int i = 0; i < RingLayout.SLOTS; i++) {
      long slot = RingLayout.slot(i);
      if (memory.get(slot + RingLayout.SLOT_TICKET) == 0
          || !host.lives(memory.process(slot + RingLayout.SLOT_PROCESS))) {
        long joined = memory.get(RingLayout.OF_JOINED);
        boolean awaited = joined < memory.word(RingLayout.OF_EXPECTED);
        RingReader reader = new RingReader(memory, host, slot, joined + 1);
        reader.take(awaited);
        return reader;
      }
    }
    throw new RingException(
        Reason.FULL, "all %d slots of the ring are taken".formatted(RingLayout.SLOTS));
  }

  private void take(boolean awaited) {
    position = awaited ? 0 : memory.get(RingLayout.OF_HEAD);
    // no ticket while the slot changes hands: a dead owner's would count with a new cursor
    memory.set(slot + RingLayout.SLOT_TICKET, 0);
    memory.process(slot + RingLayout.SLOT_PROCESS, host.self());
    memory.set(slot + RingLayout.SLOT_CURSOR, position);
    memory.set(slot + RingLayout.SLOT_SEEN, host.millis());
    memory.set(slot + RingLayout.SLOT_TICKET, ticket);
    memory.set(RingLayout.OF_JOINED, ticket);
    // either the producer sees the ticket from here on, or the head read next is its latest
    VarHandle.fullFence();
    if (!awaited) {
      position = memory.get(RingLayout.OF_HEAD);
      memory.set(slot + RingLayout.SLOT_CURSOR, position);
    }
    late = position > 0;
    wakeProducer();
  }

  /** How often this consumer had to sleep for a record. */
  public long waits() {
    return waits;
  }

  /**
   * The next record, or nothing after the one that ends the stream.
   *
   * @param patience how long to wait for it
   * @throws RingException if it will not come, or not in time
   */
  public Optional<RingRecord> next(Duration patience) throws RingException {
    while (true) {
      if (closed) {
        throw new RingException(Reason.CLOSED, "this consumer has left the ring");
      }
      Optional<RingRecord> kept = keptSchema();
      if (kept.isPresent()) {
        return kept;
      }
      if (!arrived(patience.toNanos())) {
        return Optional.empty();
      }
      Optional<RingRecord> record = take();
      if (record.isPresent()) {
        return record;
      }
    }
  }

  /** For a consumer that joined late, the schema comes first all the same. */
  private Optional<RingRecord> keptSchema() {
    if (!late) {
      return Optional.empty();
    }
    late = false;
    MemorySegment schema =
        memory.schema().asSlice(0, memory.get(RingLayout.OF_SCHEMA_BYTES)).asReadOnly();
    synchronized (held) {
      RingRecord record =
          new RingRecord(
              this, Frame.Kind.SCHEMA, memory.get(RingLayout.OF_BATCHES), schema, position);
      held.add(record);
      return Optional.of(record);
    }
  }

  /** Whether a record is there; false after the last one. */
  private boolean arrived(long patience) throws RingException {
    long since = host.nanos().getAsLong();
    long looked = since;
    long orphan = 0;
    while (true) {
      int seen = memory.word(RingLayout.OF_PUBLISHED);
      int state = memory.word(RingLayout.OF_STATE);
      memory.set(slot + RingLayout.SLOT_SEEN, host.millis());
      if (position < memory.get(RingLayout.OF_HEAD)) {
        return true;
      }
      verify();
      long now = host.nanos().getAsLong();
      if (state == RingLayout.OVER) {
        return false;
      }
      if (state == RingLayout.ABANDONED) {
        orphan = orphan == 0 ? now : orphan;
      }
      if (now - looked >= LOOK_AROUND) {
        looked = now;
        orphan = lookAround(state, now, orphan);
      }
      if (orphan != 0 && now - orphan >= (state == RingLayout.WRITING ? GRACE : GRACE / 4)) {
        throw new RingException(
            Reason.PRODUCER_GONE,
            "the producer of the ring left before the end of the stream, after %d batches"
                .formatted(memory.get(RingLayout.OF_BATCHES)));
      }
      if (now - since >= patience) {
        throw new RingException(Reason.SILENT, "no record came in time");
      }
      waits++;
      host.waits().await(memory.at(RingLayout.OF_PUBLISHED), seen, NAP);
    }
  }

  private long lookAround(int state, long now, long orphan) throws RingException {
    var gone = memory.ownerGone(() -> host.lives(memory.process(RingLayout.OF_OWNER)));
    if (gone.isPresent() && position == memory.get(RingLayout.OF_HEAD)) {
      throw gone.get();
    }
    if (state != RingLayout.WRITING) {
      return orphan;
    }
    boolean lives = host.lives(memory.process(RingLayout.OF_PRODUCER));
    return lives ? 0 : orphan == 0 ? now : orphan;
  }

  /** The record at the position; nothing if it is padding, which is passed over. */
  private Optional<RingRecord> take() throws RingException {
    MemorySegment head = memory.data(position, RECORD);
    Optional<RecordKind> kind =
        RecordKind.of(head.get(ValueLayout.JAVA_LONG, RingLayout.RECORD_KIND));
    long bytes = head.get(ValueLayout.JAVA_LONG, RingLayout.RECORD_BYTES);
    long batch = head.get(ValueLayout.JAVA_LONG, RingLayout.RECORD_BATCH);
    long stated = head.get(ValueLayout.JAVA_LONG, RingLayout.RECORD_POSITION);
    verify();
    long left = memory.capacity() - position % memory.capacity();
    if (kind.isEmpty() || stated != position || bytes < 0 || bytes > left - RECORD) {
      throw new RingException(
          Reason.MALFORMED, "no record at position %d of the ring".formatted(position));
    }
    MemorySegment message = memory.data(position + RECORD, bytes).asReadOnly();
    long next = position + RECORD + RingLayout.padded(bytes);
    Optional<Frame.Kind> frame =
        switch (kind.get()) {
          case SCHEMA -> Optional.of(Frame.Kind.SCHEMA);
          case BATCH -> Optional.of(Frame.Kind.BATCH);
          case END -> Optional.of(Frame.Kind.END);
          case FAILURE -> Optional.of(Frame.Kind.FAILURE);
          case PADDING -> Optional.empty();
        };
    synchronized (held) {
      position = next;
      if (frame.isEmpty()) {
        if (held.isEmpty()) {
          release(position);
        }
        return Optional.empty();
      }
      RingRecord record = new RingRecord(this, frame.get(), batch, message, next);
      held.add(record);
      return Optional.of(record);
    }
  }

  void verify() throws RingException {
    VarHandle.acquireFence();
    if (memory.get(slot + RingLayout.SLOT_CUT) == ticket) {
      throw new RingException(
          Reason.CUT_OFF,
          "this consumer released nothing for longer than the producer waits: what it held may be"
              + " overwritten; join again, or close batches sooner");
    }
  }

  void release(RingRecord record) {
    synchronized (held) {
      if (closed || record.isReleased()) {
        return;
      }
      record.markReleased();
      long end = -1;
      while (!held.isEmpty() && held.getFirst().isReleased()) {
        end = held.removeFirst().end();
      }
      if (end >= 0) {
        release(held.isEmpty() ? position : end);
      }
    }
  }

  private void release(long cursor) {
    memory.set(slot + RingLayout.SLOT_SEEN, host.millis());
    memory.set(slot + RingLayout.SLOT_CURSOR, cursor);
    wakeProducer();
  }

  private void wakeProducer() {
    VarHandle.fullFence();
    if (memory.word(RingLayout.OF_PRODUCER_WAITS) != 0) {
      memory.signal(RingLayout.OF_RELEASED, host.waits());
    }
  }

  /** Leaves the ring; views into it end here. */
  @Override
  public void close() {
    synchronized (held) {
      if (closed) {
        return;
      }
      closed = true;
      memory.set(slot + RingLayout.SLOT_TICKET, 0);
      wakeProducer();
    }
    memory.close();
  }
}
