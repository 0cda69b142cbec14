package io.penstock.loadtest.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.penstock.loadtest.plan.ArrivalSchedule;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.LatencyRecorder;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.sign.SignedBody.Body;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The dispatcher and the recorder on virtual time, against a server whose behaviour is a formula.
 */
class OpenLoopSimulation {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1000 * MILLI;
  private static final long GRACE = SECOND / 2;
  private static final Request REQUEST =
      new Request(Operation.GET, "GET", "/b/1-0", Map.of(), Unpooled.EMPTY_BUFFER, Body.NONE, 1, 0);

  private long now;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at));
  private final LatencyRecorder recorder = new LatencyRecorder();
  private final List<Long> sentIntended = new ArrayList<>();

  private record Event(long at, Runnable action) {}

  private final class SimulatedLane implements Lane {
    private final LongUnaryOperator serviceTime;
    private final Dispatcher[] dispatcher;

    SimulatedLane(LongUnaryOperator serviceTime, Dispatcher[] dispatcher) {
      this.serviceTime = serviceTime;
      this.dispatcher = dispatcher;
    }

    @Override
    public int number() {
      return 0;
    }

    @Override
    public void send(Shot shot) {
      sentIntended.add(shot.intended());
      long sent = now;
      long done = now + serviceTime.applyAsLong(now);
      events.add(
          new Event(
              done,
              () -> {
                recorder.completed(new LatencyRecorder.Times(shot.intended(), sent, done, done));
                dispatcher[0].idle(this);
              }));
    }

    @Override
    public void abandon(ErrorKind kind) {}
  }

  private Recording run(
      Optional<PrimitiveIterator.OfLong> arrivals,
      int lanes,
      LongUnaryOperator serviceTime,
      long end) {
    recorder.opens(new Window(0, end, SECOND));
    var dispatcher =
        new Dispatcher[] {new Dispatcher(arrivals, lane -> new Shot(REQUEST, 0, 1, 0), 0, end)};
    for (int i = 0; i < lanes; i++) {
      dispatcher[0].idle(new SimulatedLane(serviceTime, dispatcher));
    }
    while (true) {
      long wake = dispatcher[0].pump(now);
      long next = events.isEmpty() ? Long.MAX_VALUE : events.element().at();
      if (Math.min(wake, next) == Long.MAX_VALUE) {
        break;
      }
      now = Math.min(wake, next);
      if (now > end + GRACE) {
        break;
      }
      if (next <= wake) {
        events.remove().action().run();
      }
    }
    dispatcher[0].unsent(intended -> recorder.failed(ErrorKind.UNSENT, intended));
    return LatencyRecorder.merge(List.of(recorder));
  }

  /** 1 ms each, but for one second in which the server answers nothing. */
  private static long stalling(long at) {
    boolean stalled = at >= 5 * SECOND && at < 6 * SECOND;
    return stalled ? 6 * SECOND - at + MILLI : MILLI;
  }

  @Test
  void aStallIsChargedToEveryRequestThatWasDueDuringIt() {
    var schedule = new ArrivalSchedule.Constant(500);
    Recording recording =
        run(Optional.of(schedule.offsets()), 1, OpenLoopSimulation::stalling, 10 * SECOND);
    // 500 of 5,000 requests were due while the server stood still, half of them waited over 0.5 s
    assertThat(recording.latency().getValueAtPercentile(94)).isGreaterThan(450 * MILLI);
    assertThat(recording.latency().getMaxValue()).isGreaterThan(990 * MILLI);
    // the real send times know of one slow request only
    assertThat(recording.service().getValueAtPercentile(99.9)).isLessThan(2 * MILLI);
    assertThat(recording.latency().getTotalCount()).isEqualTo(5000);
  }

  @Test
  void aClosedLoopHidesTheSameStall() {
    Recording recording = run(Optional.empty(), 1, OpenLoopSimulation::stalling, 10 * SECOND);
    assertThat(recording.latency().getValueAtPercentile(99.9)).isLessThan(2 * MILLI);
  }

  @Test
  void arrivalsKeepTheirIntendedTimeAndOrderWhateverTheServerDoes() {
    var schedule = new ArrivalSchedule.Poisson(700, 3);
    run(Optional.of(schedule.offsets()), 3, OpenLoopSimulation::stalling, 8 * SECOND);
    PrimitiveIterator.OfLong expected = schedule.offsets();
    assertThat(sentIntended).allSatisfy(at -> assertThat(at).isEqualTo(expected.nextLong()));
    assertThat(expected.nextLong()).isGreaterThanOrEqualTo(8 * SECOND);
  }

  @Test
  void whatIsDueAndNeverSentIsAnError() {
    var schedule = new ArrivalSchedule.Constant(1000);
    Recording recording = run(Optional.of(schedule.offsets()), 1, at -> 10 * MILLI, 2 * SECOND);
    // 100 a second for two seconds and the half of grace, of 1,000 a second that were due
    assertThat(recording.latency().getTotalCount()).isEqualTo(250);
    assertThat(recording.errors().keySet()).containsExactly(ErrorKind.UNSENT);
    assertThat(recording.errors().get(ErrorKind.UNSENT)).isBetween(1749L, 1750L);
    assertThat(recording.failed()).isTrue();
  }

  @Test
  void whatIsDueJustBeforeTheEndIsSentAfterIt() {
    var schedule = new ArrivalSchedule.Constant(1000);
    Recording recording =
        run(Optional.of(schedule.offsets()), 1, at -> MILLI + MILLI / 10, 2 * SECOND);
    // a tenth too slow: the backlog of 0.2 s is worked off within the grace time
    assertThat(recording.errors()).isEmpty();
    assertThat(recording.latency().getTotalCount()).isEqualTo(2000);
    assertThat(recording.latency().getMaxValue()).isBetween(195 * MILLI, 205 * MILLI);
  }
}
