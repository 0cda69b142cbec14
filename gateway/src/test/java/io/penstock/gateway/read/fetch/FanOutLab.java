package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.plan.FanOutLimits;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.penstock.gateway.upstream.VirtualTimeline;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * One read of a {@link SimulatedOrigin} through an {@link ObjectFetcher}, in virtual time, and a
 * client that takes the bytes at some rate, checks each and says how it ended.
 */
final class FanOutLab implements BodyStream.Sink {
  static final long MIB = 1 << 20;
  static final FanOutLimits LIMITS = new FanOutLimits(16, 64 * MIB, 4 * MIB, 32 * MIB);
  private static final Duration TICK = Duration.ofMillis(1);

  final VirtualTimeline time;
  final SimulatedOrigin origin;
  final MemoryBudget budget;
  final PartRoom room;
  final Cancellation cancellation = new Cancellation();
  private final FanOuts fanOuts;
  private final UpstreamObserver observer;
  private BodyStream body;
  private double clientRate = Double.MAX_VALUE;
  private double allowance;
  private boolean paused;
  private boolean checking = true;
  private boolean cancelled;
  long taken;
  long mostReserved;
  boolean ended;
  Throwable failure;
  long endedAtMillis;

  FanOutLab(SimulatedOrigin origin, VirtualTimeline time, MemoryBudget budget) {
    this(origin, time, budget, LIMITS, UpstreamObserver.NONE);
  }

  FanOutLab(
      SimulatedOrigin origin,
      VirtualTimeline time,
      MemoryBudget budget,
      FanOutLimits limits,
      UpstreamObserver observer) {
    this.origin = origin;
    this.time = time;
    this.budget = budget;
    this.room = new PartRoom(budget, 128);
    this.fanOuts = new FanOuts(limits, true, room, time);
    this.observer = observer;
  }

  /** The client takes so many bytes a second. */
  FanOutLab client(double bytesPerSecond) {
    clientRate = bytesPerSecond;
    return this;
  }

  /** Counts bytes and does not look at them. */
  FanOutLab counting() {
    checking = false;
    return this;
  }

  UpstreamRequest get() {
    return new UpstreamRequest(
        "GetObject",
        "GET",
        new S3Target("b", "k", Query.EMPTY),
        HttpFields.EMPTY,
        new UpstreamBody.None(),
        "UNSIGNED-PAYLOAD",
        true,
        cancellation);
  }

  /** Asks; advances time until the head is there, and starts the body. */
  FanOutLab begin() {
    Future<UpstreamResponse> answer = new ObjectFetcher(origin, observer, fanOuts).fetch(get());
    while (!answer.isComplete()) {
      time.advance(TICK);
    }
    body = answer.result().body();
    body.start(this);
    return this;
  }

  /** Lets a time pass, at most until the end. */
  FanOutLab run(Duration most) {
    for (long i = 0; i < most.toMillis() && !isOver(); i++) {
      time.advance(TICK);
      mostReserved = Math.max(mostReserved, budget.used());
      if (clientRate < Double.MAX_VALUE) {
        allowance = Math.min(clientRate / 10, allowance + clientRate * TICK.toNanos() / 1e9);
        if (paused && allowance > 0) {
          paused = false;
          body.resume();
        }
      }
    }
    return this;
  }

  FanOutLab run() {
    return run(Duration.ofMinutes(5));
  }

  boolean isOver() {
    return ended || failure != null || cancelled;
  }

  void pause() {
    body.pause();
  }

  void resume() {
    paused = false;
    body.resume();
  }

  void cancel() {
    cancelled = true;
    body.cancel();
  }

  double megabytesPerSecond() {
    return taken / 1e6 / (endedAtMillis / 1e3);
  }

  @Override
  public void data(ByteBuf buffer) {
    try {
      if (isOver() || paused || !buffer.isReadable()) {
        throw new AssertionError("a buffer that must not come, paused " + paused);
      }
      for (int i = 0; checking && i < buffer.readableBytes(); i++) {
        byte wanted = SimulatedOrigin.byteAt(1, taken + i);
        if (buffer.getByte(buffer.readerIndex() + i) != wanted) {
          throw new AssertionError("wrong byte at " + (taken + i));
        }
      }
      taken += buffer.readableBytes();
      allowance -= buffer.readableBytes();
    } finally {
      buffer.release();
    }
    if (allowance < 0 && clientRate < Double.MAX_VALUE) {
      paused = true;
      body.pause();
    }
  }

  @Override
  public void end() {
    ended = true;
    endedAtMillis = time.elapsed().toMillis();
  }

  @Override
  public void failed(Throwable cause) {
    failure = cause;
  }
}
