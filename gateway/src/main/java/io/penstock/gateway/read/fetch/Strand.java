package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the body that one connection at a time brings, from {@code from} to {@code end}. It
 * is either at the head of the body, then its bytes go on as they come and its socket rests while
 * the client does; or it waits for its turn, then it collects all of its bytes in the room that was
 * taken for it. It can be cut shorter while it runs.
 *
 * <p>Threading: the event loop of the body.
 *
 * <p>Ownership: holds the buffers that wait; {@link #close} releases them.
 */
final class Strand implements BodyStream.Sink {
  private final Owner owner;
  private final long from;
  private final Optional<PartRoom.Place> place;
  private Cancellation cancellation = new Cancellation();
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
  private @Nullable BodyStream stream;
  private long end;
  private long position;
  private long streamEnd;
  private long askedAt;
  private int restarts;
  private boolean asked;
  private boolean started;
  private boolean flowing;
  private boolean complete;
  private boolean closed;

  /** The body it belongs to. */
  interface Owner {
    /** Bytes are about to be taken; the strand may be cut now. */
    void arriving(Strand strand, int bytes);

    /** Whether this buffer was passed on at once; else the strand keeps it. */
    boolean passed(Strand strand, ByteBuf buffer);

    /** It has all its bytes. */
    void complete(Strand strand);

    /** Its bytes cannot be had. */
    void broken(Strand strand, Throwable cause);
  }

  /**
   * A stretch nobody has asked for yet.
   *
   * @param from offset in the body
   * @param end offset behind the last byte
   * @param place what was taken for it; a strand at the head needs none
   */
  Strand(Owner owner, long from, long end, Optional<PartRoom.Place> place) {
    this.owner = owner;
    this.from = from;
    this.end = end;
    this.position = from;
    this.place = place;
  }

  long from() {
    return from;
  }

  long until() {
    return end;
  }

  /** Offset of the next byte to arrive. */
  long position() {
    return position;
  }

  boolean isAsked() {
    return asked;
  }

  long askedAt() {
    return askedAt;
  }

  boolean isComplete() {
    return complete;
  }

  /** Whether it uses a connection, or waits for one. */
  boolean isUnderWay() {
    return asked && !complete;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** It is being asked for, or not any more. */
  void asked(boolean now, long nanoTime) {
    asked = now;
    askedAt = nanoTime;
  }

  /** Its bytes come from here, from the next {@link #resume} on. */
  void comesFrom(BodyStream source) {
    stream = source;
    streamEnd = position + source.length();
    started = false;
    flowing = false;
  }

  /** How often it was restarted. */
  int restarts() {
    return restarts;
  }

  /** Gives up its connection, to be asked for anew from where it is. */
  void restart() {
    restarts++;
    asked = false;
    flowing = false;
    BodyStream given = stream;
    stream = null;
    if (given != null) {
      given.cancel();
    }
    cancellation.cancel();
    cancellation = new Cancellation();
  }

  /** Ends sooner, perhaps at once; the rest of its connection's bytes is given up. */
  void cut(long newEnd) {
    end = newEnd;
    if (position >= end && !complete) {
      finish();
    }
  }

  @Nullable ByteBuf poll() {
    return waiting.poll();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void keep(ByteBuf buffer) {
    waiting.add(Compact.of(buffer));
  }

  /** Nothing waits any more, and this is the head: what comes goes on. */
  void emptied() {
    place.ifPresent(PartRoom.Place::emptied);
  }

  void pause() {
    if (stream != null && flowing) {
      flowing = false;
      stream.pause();
    }
  }

  void resume() {
    if (stream == null || flowing) {
      return;
    }
    flowing = true;
    if (started) {
      stream.resume();
    } else {
      started = true;
      stream.start(this);
    }
  }

  /** Lets go of everything. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    complete = true;
    cancellation.cancel();
    waiting.forEach(ByteBuf::release);
    waiting.clear();
    if (stream != null) {
      stream.cancel();
      stream = null;
    }
    place.ifPresent(PartRoom.Place::disconnected);
    place.ifPresent(PartRoom.Place::emptied);
  }

  @Override
  public void data(ByteBuf buffer) {
    if (complete) {
      buffer.release();
      return;
    }
    owner.arriving(this, buffer.readableBytes());
    if (complete) {
      buffer.release();
      return;
    }
    int wanted = (int) Math.min(buffer.readableBytes(), end - position);
    buffer.writerIndex(buffer.readerIndex() + wanted);
    position += wanted;
    boolean last = position == end;
    if (!owner.passed(this, buffer)) {
      keep(buffer);
    }
    if (last && !complete && isCut()) {
      finish();
    }
  }

  /** The source would bring more than is wanted. */
  private boolean isCut() {
    return stream != null && streamEnd > end;
  }

  private void finish() {
    complete = true;
    BodyStream rest = stream;
    stream = null;
    if (rest != null) {
      rest.cancel();
    }
    cancellation.cancel();
    place.ifPresent(PartRoom.Place::disconnected);
    owner.complete(this);
  }

  @Override
  public void end() {
    if (!complete) {
      stream = null;
      finish();
    }
  }

  @Override
  public void failed(Throwable cause) {
    if (!complete) {
      stream = null;
      owner.broken(this, cause);
    }
  }
}
