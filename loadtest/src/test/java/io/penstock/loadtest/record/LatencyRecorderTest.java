package io.penstock.loadtest.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.loadtest.record.LatencyRecorder.Times;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private static LatencyRecorder opened() {
    var recorder = new LatencyRecorder();
    recorder.opens(new Window(10 * SECOND, 13 * SECOND, SECOND));
    return recorder;
  }

  private static Times at(long intended, long waited) {
    return new Times(intended, intended + waited / 2, intended + waited, intended + waited);
  }

  @Test
  void onlyRequestsIntendedInsideTheWindowHaveALatency() {
    LatencyRecorder recorder = opened();
    recorder.completed(at(10 * SECOND - 1, MILLI));
    recorder.completed(at(10 * SECOND, 2 * MILLI));
    recorder.completed(at(13 * SECOND - 1, 4 * MILLI));
    recorder.completed(at(13 * SECOND, 8 * MILLI));
    Recording recording = LatencyRecorder.merge(List.of(recorder));
    assertThat(recording.latency().getTotalCount()).isEqualTo(2);
    assertThat(recording.latency().getMaxValue()).isCloseTo(4 * MILLI, within(10_000L));
    assertThat(recording.service().getMaxValue()).isCloseTo(2 * MILLI, within(10_000L));
    assertThat(recorder.counters().completed()).isEqualTo(4);
  }

  @Test
  void bytesCountWhenTheyArrive() {
    LatencyRecorder recorder = opened();
    recorder.moved(9 * SECOND, 1);
    recorder.moved(10 * SECOND, 10);
    recorder.moved(12 * SECOND, 100);
    recorder.moved(13 * SECOND, 1000);
    Recording recording = LatencyRecorder.merge(List.of(recorder));
    assertThat(recording.totals().bytes()).isEqualTo(110);
    assertThat(recording.bytesPerSecond()).isCloseTo(110 / 3.0, within(1e-9));
    assertThat(recording.series())
        .extracting(i -> i.counters().bytes())
        .containsExactly(10L, 0L, 100L);
  }

  @Test
  void threadsAddUp() {
    LatencyRecorder one = opened();
    LatencyRecorder other = opened();
    one.completed(at(10 * SECOND, MILLI));
    other.completed(at(11 * SECOND, MILLI));
    other.failed(ErrorKind.CLOSED, 11 * SECOND);
    one.failed(ErrorKind.CLOSED, 11 * SECOND);
    Recording recording = LatencyRecorder.merge(List.of(one, other));
    assertThat(recording.totals()).isEqualTo(new Counters(2, 0, 2));
    assertThat(recording.errors()).isEqualTo(Map.of(ErrorKind.CLOSED, 2L));
    assertThat(recording.latency().getTotalCount()).isEqualTo(2);
  }

  @Test
  void anErrorDuringTheWarmUpMarksTheRunToo() {
    LatencyRecorder recorder = opened();
    recorder.failed(ErrorKind.CONNECT, SECOND);
    assertThat(LatencyRecorder.merge(List.of(recorder)).failed()).isTrue();
  }
}
