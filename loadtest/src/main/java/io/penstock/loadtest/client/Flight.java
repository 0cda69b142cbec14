package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.LatencyRecorder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The request that a lane has under way: its times, its bytes, and whether the answer is the right
 * one. Exactly one of completed and failed is recorded for each.
 *
 * <p>Threading: the lane's event loop. Ownership: looks at buffers, never keeps them.
 */
final class Flight {
  private final LatencyRecorder recorder;
  private final LongSupplier clock;
  private final boolean verify;
  private @Nullable Shot shot;
  private @Nullable ErrorKind wrong;
  private long sent;
  private long firstByte;
  private long received;

  Flight(LatencyRecorder recorder, LongSupplier clock, boolean verify) {
    this.recorder = recorder;
    this.clock = clock;
    this.verify = verify;
  }

  boolean busy() {
    return shot != null;
  }

  void start(Shot next) {
    shot = next;
    wrong = null;
    received = 0;
    firstByte = 0;
    sent = clock.getAsLong();
  }

  /** The status line is here. */
  void head(int status) {
    if (shot == null) {
      return;
    }
    firstByte = clock.getAsLong();
    if (status != (shot.ranged() ? 206 : 200)) {
      wrong = ErrorKind.ofStatus(status);
    }
  }

  /** The next {@code count} bytes of the body are at the reader index of {@code bytes}. */
  void body(ByteBuf bytes, int count) {
    if (shot == null) {
      return;
    }
    recorder.moved(clock.getAsLong(), count);
    if (verify && wrong == null && isObject(shot)) {
      ByteBuf slice = bytes.slice(bytes.readerIndex(), count);
      if (!Content.matches(slice, shot.request().n(), shot.first() + received)) {
        wrong = ErrorKind.CONTENT;
      }
    }
    received += count;
  }

  /** Body bytes of a PUT have left. */
  void uploaded(long count) {
    recorder.moved(clock.getAsLong(), count);
  }

  /** The answer is complete. */
  void end() {
    Shot done = shot;
    if (done == null) {
      return;
    }
    if (wrong == null && isObject(done) && received != done.length()) {
      wrong = ErrorKind.LENGTH;
    }
    if (wrong != null) {
      fail(wrong);
      return;
    }
    shot = null;
    recorder.completed(
        new LatencyRecorder.Times(done.intended(), sent, firstByte, clock.getAsLong()));
  }

  /** There will be no complete answer. */
  void fail(ErrorKind kind) {
    if (shot != null) {
      recorder.failed(kind, shot.intended());
      shot = null;
    }
  }

  private static boolean isObject(Shot shot) {
    Operation operation = shot.request().operation();
    return operation == Operation.GET || operation == Operation.RANGED;
  }
}
