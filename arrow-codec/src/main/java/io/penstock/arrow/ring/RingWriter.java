package io.penstock.arrow.ring;

import static io.penstock.arrow.ring.RingLayout.RECORD;

import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ring.RingException.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The one producer of a ring. A frame is copied once, into shared memory; consumers see it when all
 * of it is there. A full ring waits for the slowest consumer: one that is dead is passed over, one
 * that releases nothing for the deadline is cut off.
 *
 * <p>Threading: one thread writes and closes, blocked while the ring is full: never an event loop.
 * Any thread may {@link #cancel}.
 *
 * <p>Ownership: takes over every part of a frame, also if that throws. Owns its mapping.
 */
public final class RingWriter implements AutoCloseable {
  private static final Duration NAP = Duration.ofMillis(100);
  private static final long LOOK_AROUND = Duration.ofMillis(500).toNanos();

  private final RingMemory memory;
  private final RingHost host;
  private final Readers readers;
  private final long deadline;
  private final long capacity;
  private final long stream = UUID.randomUUID().getMostSignificantBits();
  private long head;
  private long tail;
  private long cutOff;
  private long waits;
  private long looked;
  private boolean over;
  private boolean closed;
  private volatile boolean cancelled;

  private RingWriter(RingMemory memory, RingHost host, Duration deadline) {
    this.memory = memory;
    this.host = host;
    this.readers = new Readers(memory, host);
    this.deadline = deadline.toNanos();
    this.capacity = memory.capacity();
    this.head = memory.get(RingLayout.OF_HEAD);
    this.tail = memory.get(RingLayout.OF_TAIL);
    this.looked = host.nanos().getAsLong();
  }

  /** Becomes the producer; the caller holds the file's lock. */
  static RingWriter attach(RingMemory memory, RingHost host, Duration deadline)
      throws RingException {
    var gone = memory.ownerGone(() -> host.lives(memory.process(RingLayout.OF_OWNER)));
    if (gone.isPresent()) {
      throw gone.get();
    }
    int state = memory.word(RingLayout.OF_STATE);
    if (state == RingLayout.OVER) {
      throw new RingException(Reason.BUSY, "the stream in this ring has ended: create another");
    }
    if (state == RingLayout.WRITING && host.lives(memory.process(RingLayout.OF_PRODUCER))) {
      throw new RingException(
          Reason.BUSY, "process %d writes this ring".formatted(memory.get(RingLayout.OF_PRODUCER)));
    }
    RingWriter writer = new RingWriter(memory, host, deadline);
    memory.set(RingLayout.OF_STREAM, writer.stream);
    memory.process(RingLayout.OF_PRODUCER, host.self());
    memory.word(RingLayout.OF_STATE, RingLayout.WRITING);
    return writer;
  }

  /** Batches in the ring since it was created, those of earlier producers included. */
  public long batches() {
    return memory.get(RingLayout.OF_BATCHES);
  }

  /** Consumers that were passed over so far, dead or too slow. */
  public long cutOff() {
    return cutOff;
  }

  /** How often a frame had to wait for room. */
  public long waits() {
    return waits;
  }

  public long capacity() {
    return capacity;
  }

  /**
   * Copies a frame into the ring, when there is room.
   *
   * @throws RingException if nobody will read it, or it cannot fit
   */
  public void write(Frame frame) throws RingException {
    try {
      if (over || closed) {
        throw new RingException(Reason.CLOSED, "the stream has ended");
      }
      long bytes = frame.bytes();
      long size = RECORD + RingLayout.padded(bytes);
      if (size > capacity / 2) {
        throw new RingException(
            Reason.TOO_LARGE,
            "a record of %d bytes in a ring of %d: at most half of it; take a larger ring or smaller batches"
                .formatted(size, capacity));
      }
      long left = capacity - head % capacity;
      boolean wraps = size > left;
      await(head + size + (wraps ? left : 0) - capacity);
      long at = head;
      if (wraps) {
        head(at, RecordKind.PADDING, left - RECORD);
        at += left;
      }
      copy(frame, memory.data(at + RECORD, bytes));
      if (frame.kind() == Frame.Kind.SCHEMA) {
        keepSchema(memory.data(at + RECORD, bytes));
      }
      head(at, RecordKind.of(frame.kind()), bytes);
      publish(at + size, frame.kind(), wraps ? 2 : 1);
    } finally {
      frame.release();
    }
  }

  private static void copy(Frame frame, MemorySegment to) {
    long at = 0;
    for (BodyPart part : frame.parts()) {
      MemorySegment from = MemorySegment.ofBuffer(part.view());
      MemorySegment.copy(from, 0, to, at, from.byteSize());
      at += from.byteSize();
    }
  }

  /** For those who join when it has been overwritten; a later producer's is the same. */
  private void keepSchema(MemorySegment schema) throws RingException {
    MemorySegment room = memory.schema();
    if (schema.byteSize() > room.byteSize()) {
      throw new RingException(
          Reason.TOO_LARGE,
          "a schema of %d bytes: at most %d fit".formatted(schema.byteSize(), room.byteSize()));
    }
    if (memory.get(RingLayout.OF_SCHEMA_BYTES) == 0) {
      MemorySegment.copy(schema, 0, room, 0, schema.byteSize());
      memory.set(RingLayout.OF_SCHEMA_BYTES, schema.byteSize());
    }
  }

  private void head(long position, RecordKind kind, long bytes) {
    MemorySegment record = memory.data(position, RECORD);
    record.set(ValueLayout.JAVA_LONG, RingLayout.RECORD_KIND, kind.code());
    record.set(ValueLayout.JAVA_LONG, RingLayout.RECORD_BYTES, bytes);
    record.set(
        ValueLayout.JAVA_LONG,
        RingLayout.RECORD_SEQUENCE,
        memory.get(RingLayout.OF_RECORDS) + (position == head ? 0 : 1));
    record.set(ValueLayout.JAVA_LONG, RingLayout.RECORD_POSITION, position);
    record.set(ValueLayout.JAVA_LONG, RingLayout.RECORD_BATCH, batches());
    record.set(ValueLayout.JAVA_LONG, RingLayout.RECORD_STREAM, stream);
  }

  private void publish(long next, Frame.Kind kind, int records) {
    head = next;
    memory.set(RingLayout.OF_RECORDS, memory.get(RingLayout.OF_RECORDS) + records);
    if (kind == Frame.Kind.BATCH) {
      memory.set(RingLayout.OF_BATCHES, batches() + 1);
    }
    memory.set(RingLayout.OF_HEAD, next);
    if (kind == Frame.Kind.END || kind == Frame.Kind.FAILURE) {
      over = true;
      memory.word(RingLayout.OF_STATE, RingLayout.OVER);
    }
    memory.signal(RingLayout.OF_PUBLISHED, host.waits());
  }

  /** Waits until everything before {@code needed} has been released. */
  private void await(long needed) throws RingException {
    if (cancelled) {
      throw new RingException(Reason.CLOSED, "writing was cancelled");
    }
    lookAround();
    // a consumer that joins either sees the head published last, or is seen here
    VarHandle.fullFence();
    advance();
    if (needed <= tail) {
      return;
    }
    waits++;
    memory.word(RingLayout.OF_PRODUCER_WAITS, 1);
    try {
      waitFor(needed);
    } finally {
      memory.word(RingLayout.OF_PRODUCER_WAITS, 0);
      memory.set(RingLayout.OF_TAIL, tail);
      // who was cut off must be able to see it before what it reads is overwritten
      VarHandle.fullFence();
    }
  }

  private void waitFor(long needed) throws RingException {
    long since = host.nanos().getAsLong();
    while (true) {
      int seen = memory.word(RingLayout.OF_RELEASED);
      VarHandle.fullFence();
      long before = tail;
      advance();
      if (needed <= tail) {
        return;
      }
      if (cancelled) {
        throw new RingException(Reason.CLOSED, "writing was cancelled");
      }
      long now = host.nanos().getAsLong();
      if (tail != before) {
        since = now;
      }
      lookAround();
      if (now - since >= deadline) {
        loseSlow();
        since = now;
      }
      host.waits().await(memory.at(RingLayout.OF_RELEASED), seen, NAP);
    }
  }

  private void advance() {
    OptionalLong oldest = readers.areMissing() ? OptionalLong.empty() : readers.oldest();
    tail = Math.max(tail, oldest.orElse(tail));
  }

  /** Sees that the ring was closed at once, and that somebody has died every now and then. */
  private void lookAround() throws RingException {
    long now = host.nanos().getAsLong();
    boolean due = now - looked >= LOOK_AROUND;
    var gone = memory.ownerGone(() -> !due || host.lives(memory.process(RingLayout.OF_OWNER)));
    if (gone.isPresent()) {
      throw gone.get();
    }
    if (!due) {
      return;
    }
    looked = now;
    int dead = readers.cutDead();
    cutOff += dead;
    if (dead > 0 && readers.count() == 0 && !readers.areMissing()) {
      throw new RingException(Reason.NO_CONSUMERS, "every consumer of the ring has died");
    }
  }

  private void loseSlow() throws RingException {
    int slow = readers.areMissing() ? 0 : readers.cutSlow(tail);
    cutOff += slow;
    if (slow == 0 || readers.count() == 0) {
      throw new RingException(
          Reason.NO_CONSUMERS,
          slow == 0
              ? "fewer consumers joined in time than the ring waits for, or all have left"
              : "no consumer released anything in time");
    }
  }

  /** Wakes the writing thread, whose call fails then. */
  public void cancel() {
    cancelled = true;
  }

  /** Leaves the ring. A stream without its last frame is abandoned, which its readers are told. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (!over) {
        memory.word(RingLayout.OF_STATE, RingLayout.ABANDONED);
        memory.signal(RingLayout.OF_PUBLISHED, host.waits());
      }
      memory.close();
    }
  }
}
