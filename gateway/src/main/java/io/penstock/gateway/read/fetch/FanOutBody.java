package io.penstock.gateway.read.fetch;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.read.plan.Growth;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A body that is read over one connection until that has been measured to be the limit, and then
 * over as many as pay: parts of the object further on are asked for by range and {@code If-Match}
 * and put back into order. The sink sees one stream of one version of the object, each byte once.
 * While the sink is paused nothing new is asked for; what is under way may fill the room that was
 * taken for it. A part that the store refuses is asked for again later, with fewer connections; one
 * of another version fails the body.
 *
 * <p>Threading: the event loop of the channel.
 *
 * <p>Ownership: the strands hold what waits, within room taken before; {@link #cancel}, a failure
 * and the end leave none.
 */
final class FanOutBody implements BodyStream, Strand.Owner {
  private static final int MOST_REFUSALS = 6;
  private static final int MOST_RESTARTS = 3;
  private static final int PATIENCE = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private final PartSource source;
  private final FanOuts shared;
  private final Steering steering;
  private final FanOutTally tally;
  private final Cancellation.Registration fromExchange;
  private final ArrayDeque<Strand> strands = new ArrayDeque<>();
  private final long length;
  private @Nullable Sink sink;
  private Cancellation.@Nullable Registration timer;
  private Cancellation.@Nullable Registration watch;
  private @Nullable Strand watched;
  private long planned;
  private int refusals;
  private boolean paused;
  private boolean delivering;
  private boolean done;

  FanOutBody(
      PartSource source,
      BodyStream first,
      FanOuts shared,
      FanOutTally tally,
      long latencyNanos,
      Cancellation exchange) {
    this.source = source;
    this.shared = shared;
    this.tally = tally;
    this.length = first.length();
    this.planned = length;
    this.steering = new Steering(shared.planner(), latencyNanos, length, now());
    Strand whole = new Strand(this, 0, length, Optional.empty());
    whole.asked(true, now());
    whole.comesFrom(first);
    strands.add(whole);
    this.fromExchange = exchange.onCancel(this::clientGone);
  }

  private void clientGone() {
    // the first strand to fail takes the others with it
    List.copyOf(strands).forEach(strand -> strand.cancellation().cancel());
  }

  private long now() {
    return shared.timeline().nanoTime();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink to) {
    sink = to;
    strands.getFirst().resume();
  }

  @Override
  public void pause() {
    if (!paused) {
      paused = true;
      steering.paused(now());
      Strand head = strands.peekFirst();
      if (head != null && head.isEmpty()) {
        head.pause();
      }
    }
  }

  @Override
  public void resume() {
    if (sink != null && paused) {
      paused = false;
      steering.resumed(now());
      deliver();
    }
  }

  @Override
  public void cancel() {
    finish();
  }

  @Override
  public void arriving(Strand strand, int bytes) {
    long now = now();
    boolean trial = steering.growth() instanceof Growth.Trial;
    if (trial && strand == strands.getLast()) {
      steering.firstBytes(now);
    }
    steering.arrived(bytes, now);
    // the head must not run into what the trial has read before it is decided whose bytes count
    boolean met = trial && strand.position() + bytes >= strands.getLast().from();
    if ((met && strand == strands.getFirst()) || steering.isRoundOver(now)) {
      endRound(now);
    }
  }

  @Override
  public boolean passed(Strand strand, ByteBuf buffer) {
    boolean atOnce = !delivering && !paused && strand == strands.peekFirst() && strand.isEmpty();
    if (atOnce) {
      Objects.requireNonNull(sink).data(buffer);
    }
    return atOnce;
  }

  @Override
  public void complete(Strand strand) {
    if (isTrial(strand)) {
      endRound(now());
    }
    deliver();
  }

  @Override
  public void broken(Strand strand, Throwable cause) {
    boolean passing =
        cause instanceof UpstreamFailure && !(cause instanceof UpstreamFailure.Cancelled);
    boolean whole = strand.from() == 0 && strand.until() == length;
    if (isTrial(strand) || !passing || whole) {
      refused(strand, cause);
    } else {
      // a later part may be had again when the store has recovered, and tells if it has changed
      strand.restart();
      refused(strand, new PartSource.Refused(cause));
    }
  }

  private boolean isTrial(Strand strand) {
    return steering.growth() instanceof Growth.Trial && strand == strands.peekLast();
  }

  /** Hands on what is there, in order, until the sink pauses or the head has to wait. */
  private void deliver() {
    if (delivering || done || sink == null) {
      return;
    }
    delivering = true;
    try {
      boolean more = true;
      while (more && !paused && !done) {
        more = step(Objects.requireNonNull(sink));
      }
    } catch (RuntimeException thrown) {
      fail(thrown);
    } finally {
      delivering = false;
    }
    if (!done && !paused) {
      ask();
    }
  }

  private boolean step(Sink to) {
    Strand head = strands.peekFirst();
    if (head == null) {
      return next(to);
    }
    ByteBuf buffer = head.poll();
    if (buffer != null) {
      to.data(buffer);
      return true;
    }
    head.emptied();
    if (head.isComplete()) {
      strands.removeFirst().close();
      refusals = 0;
      return true;
    }
    head.resume();
    if (head.isEmpty() && !head.isComplete()) {
      watch(head);
      return false;
    }
    return true;
  }

  /** All strands are delivered. */
  private boolean next(Sink to) {
    if (planned == length) {
      finish();
      to.end();
      return false;
    }
    long end = steering.growth().width() > 1 ? partEnd(steering.partBytes()) : length;
    strands.add(new Strand(this, planned, end, Optional.empty()));
    planned = end;
    return false;
  }

  private long partEnd(long bytes) {
    long end = planned + bytes;
    return length - end < bytes / 2 ? length : Math.min(length, end);
  }

  // --- asking ---

  /** Asks for what is wanted now. */
  private void ask() {
    Strand head = strands.peekFirst();
    if (head != null && !head.isAsked() && timer == null) {
      ask(head);
    }
    // an answer may come at once and change everything, so look anew after each
    while (!done && !paused && timer == null && isNarrow() && askNext()) {}
  }

  private boolean isNarrow() {
    int width = steering.growth().width();
    if (width < 2 || steering.growth() instanceof Growth.Trial) {
      return false;
    }
    return width > strands.stream().filter(Strand::isUnderWay).count();
  }

  /** One more request; false if there is nothing to ask for, or no room. */
  private boolean askNext() {
    for (Strand strand : strands) {
      if (!strand.isAsked()) {
        ask(strand);
        return true;
      }
    }
    return planned < length && strands.size() < 2 * steering.growth().width() && plan();
  }

  /** Plans one more part and asks for it; false if there is no room. */
  private boolean plan() {
    long end = partEnd(steering.partBytes());
    Optional<PartRoom.Place> place = shared.room().take(Compact.room(end - planned));
    if (place.isEmpty() && strands.size() < 2) {
      end = partEnd(shared.minPart());
      place = shared.room().take(Compact.room(end - planned));
    }
    if (place.isEmpty()) {
      steering.shortOfRoom();
      return false;
    }
    Strand part = new Strand(this, planned, end, place);
    planned = end;
    strands.addLast(part);
    ask(part);
    return true;
  }

  private void ask(Strand strand) {
    strand.asked(true, now());
    tally.started();
    Cancellation cancellation = strand.cancellation();
    source
        .part(strand.position(), strand.until(), cancellation)
        .onComplete(answer -> answered(strand, cancellation, answer));
  }

  private void answered(Strand strand, Cancellation cancellation, AsyncResult<BodyStream> answer) {
    boolean unwanted = strand.isComplete() || done || strand.cancellation() != cancellation;
    if (unwanted && answer.succeeded()) {
      answer.result().cancel();
    } else if (!unwanted && answer.succeeded()) {
      begin(strand, answer.result());
    } else if (!unwanted) {
      refused(strand, answer.cause());
    }
  }

  private void begin(Strand strand, BodyStream stream) {
    strand.comesFrom(stream);
    if (!paused || strand != strands.peekFirst()) {
      strand.resume();
    }
  }

  private void refused(Strand strand, Throwable cause) {
    if (isTrial(strand)) {
      trialRefused();
      return;
    }
    if (!(cause instanceof PartSource.Refused)) {
      fail(cause);
      return;
    }
    strand.asked(false, now());
    if (strand == strands.getFirst() && ++refusals > MOST_REFUSALS) {
      fail(Objects.requireNonNull(cause.getCause()));
      return;
    }
    tally.width(steering.refused(strands.getFirst().position(), now()).width());
    if (timer == null) {
      Duration pause = FIRST_PAUSE.multipliedBy(1L << refusals);
      timer = shared.timeline().after(pause, this::askAgain);
    }
  }

  /** The head has everything, whatever has become of the trial. */
  private void trialRefused() {
    tally.width(steering.refused(strands.getFirst().position(), now()).width());
    dropTrial();
  }

  private void askAgain() {
    timer = null;
    deliver();
  }

  // --- stragglers ---

  /** While parts behind it wait, the head may not take several times as long as they did. */
  private void watch(Strand head) {
    if (watched != head && steering.growth().width() > 1) {
      watched = head;
      watchAgain(head, PATIENCE * steering.partNanos() - (now() - head.askedAt()));
    }
  }

  private void watchAgain(Strand head, long nanos) {
    stopWatching();
    watch = shared.timeline().after(Duration.ofNanos(Math.max(0, nanos)), () -> overtake(head));
  }

  private void stopWatching() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private void overtake(Strand head) {
    watch = null;
    if (head != strands.peekFirst() || head.isComplete() || head.restarts() >= MOST_RESTARTS) {
      return;
    }
    boolean others = 2 * completeBehind() >= steering.growth().width();
    // towards the end there are no others
    if ((others || planned == length) && !paused && head.isAsked() && head.isEmpty()) {
      head.restart();
      ask();
    }
    watchAgain(head, PATIENCE * steering.partNanos());
  }

  /** Parts that wait for the head. */
  private int completeBehind() {
    int complete = 0;
    for (Strand strand : strands) {
      complete += strand != strands.peekFirst() && strand.isComplete() ? 1 : 0;
    }
    return complete;
  }

  // --- steering ---

  private void endRound(long now) {
    Growth before = steering.growth();
    Growth next = steering.endRound(strands.getFirst().position(), completeBehind(), now);
    tally.width(next.width());
    if (next instanceof Growth.Trial) {
      beginTrial();
    } else if (before instanceof Growth.Trial && next.width() > 1) {
      strands.getFirst().cut(strands.getLast().from());
    } else if (before instanceof Growth.Trial) {
      tally.notWorthwhile();
      dropTrial();
    } else if (before.width() > 1 && next.width() == 1) {
      tally.notWorthwhile();
    }
    if (!paused) {
      ask();
    }
  }

  private void beginTrial() {
    Strand head = strands.getFirst();
    long bytes = steering.partBytes();
    long from = head.position() + bytes + steering.headStart();
    Optional<PartRoom.Place> place = shared.room().take(Compact.room(bytes));
    if (paused || strands.size() > 1 || from + bytes > head.until() || place.isEmpty()) {
      place.ifPresent(PartRoom.Place::disconnected);
      place.ifPresent(PartRoom.Place::emptied);
      tally.width(steering.refused(head.position(), now()).width());
      return;
    }
    planned = from + bytes;
    Strand trial = new Strand(this, from, planned, place);
    strands.addLast(trial);
    steering.awaitFirstBytes();
    ask(trial);
  }

  /** The head reads on over what the trial has read. */
  private void dropTrial() {
    Strand trial = strands.removeLast();
    planned = length;
    tally.wasted(trial.position() - trial.from());
    trial.close();
  }

  // --- ends ---

  private void finish() {
    if (done) {
      return;
    }
    done = true;
    fromExchange.close();
    if (timer != null) {
      timer.close();
      timer = null;
    }
    stopWatching();
    tally.finished();
    strands.forEach(Strand::close);
    strands.clear();
  }

  private void fail(Throwable cause) {
    if (done) {
      return;
    }
    finish();
    Objects.requireNonNull(sink).failed(cause);
  }
}
