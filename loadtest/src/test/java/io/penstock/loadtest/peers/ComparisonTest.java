package io.penstock.loadtest.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.loadtest.peers.Sample.Metric;
import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.LatencyRecorder;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.report.Origin;
import io.penstock.loadtest.store.StoreCounters;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final BenchCase CASE = BenchCases.all().get(1);

  private static Sample sample(int round, double cpuSeconds, boolean failed) {
    var recorder = new LatencyRecorder();
    recorder.opens(new Window(0, 1_000_000_000, 1_000_000_000));
    if (failed) {
      recorder.failed(ErrorKind.CLOSED, 1);
    }
    Recording recording = LatencyRecorder.merge(List.of(recorder));
    var counters = new Counters(1000, 2_000_000_000, 0);
    return new Sample(
        round, 2, cpuSeconds, 1, counters, new StoreCounters.Snapshot(1500, 0, 0, 0), recording);
  }

  private static CaseResult result(boolean failed) {
    return new CaseResult(
        CASE,
        Map.of(
            "nginx", List.of(sample(1, 1.0, false), sample(2, 2.0, false), sample(3, 1.2, false)),
            "gateway",
                List.of(sample(1, 0.5, false), sample(2, 2.0, failed), sample(3, 0.9, false))));
  }

  @Test
  void figuresComeFromTheWindow() {
    Sample sample = sample(1, 0.5, false);
    assertThat(sample.value(Metric.CPU_MS_PER_GB)).isEqualTo(250);
    assertThat(sample.value(Metric.REQUESTS_PER_CPU_SECOND)).isEqualTo(2000);
    assertThat(sample.value(Metric.MB_PER_SECOND)).isEqualTo(1000);
    assertThat(sample.value(Metric.PROXY_CORE)).isEqualTo(0.25);
    assertThat(sample.value(Metric.STORE_REQUESTS)).isEqualTo(1.5);
  }

  @Test
  void ratiosAreTakenWithinARound() {
    // 0.5, 1.0 and 0.75: not the ratio of the medians, which would be 0.75 by way of other rounds
    Spread ratio = result(false).ratio("gateway", Metric.CPU_MS_PER_GB);
    assertThat(ratio.min()).isCloseTo(0.5, within(1e-9));
    assertThat(ratio.median()).isCloseTo(0.75, within(1e-9));
    assertThat(ratio.max()).isCloseTo(1.0, within(1e-9));
    assertThat(result(false).added("gateway", Metric.CPU_MS_PER_GB).min())
        .isCloseTo(-250, within(1e-9));
  }

  @Test
  void mediansOfEvenAndOddCounts() {
    assertThat(Spread.of(new double[] {3, 1, 2})).isEqualTo(new Spread(2, 1, 3));
    assertThat(Spread.of(new double[] {4, 1, 2, 3})).isEqualTo(new Spread(2.5, 1, 4));
    assertThat(Spread.of(new double[0]).text()).isEqualTo("-");
    assertThat(new Spread(1234, 99.94, 0.05).text()).isEqualTo("1,234 (99.9..0.050)");
  }

  private static PeersReport report(boolean failed) {
    var origin =
        new Origin(Instant.EPOCH, "cpu", 2, "Linux", "25", "abc", "./penstock loadtest peers");
    return new PeersReport(List.of(result(failed)), List.of("haproxy: is missing"), origin);
  }

  @Test
  void theTableNamesWhatWasNotMeasuredAndWhatFailed() {
    assertThat(report(false).text())
        .contains("get-100k", "x nginx", "0.75 (0.50..1.00)", "not measured: haproxy: is missing")
        .doesNotContain("FAILED");
    assertThat(report(true).text()).contains("1 FAILED");
  }

  @Test
  void thePageLoadsNothingAndHoldsEveryRound() {
    String page = report(true).html();
    assertThat(page).contains("class=\"failed\"", "\"rounds\": [", "0.75 (0.50..1.00)");
    assertThat(Pattern.compile("\\b(src|href)\\s*=|https?://|url\\(").matcher(page).find())
        .isFalse();
  }

  @Test
  void casesHaveNamesOfTheirOwnAndABaselineAmongTheirVariants() {
    List<BenchCase> all = BenchCases.all();
    assertThat(all).extracting(BenchCase::name).doesNotHaveDuplicates();
    assertThat(all)
        .allSatisfy(
            bench ->
                assertThat(bench.variants())
                    .extracting(Variant::label)
                    .contains(bench.baseline())
                    .doesNotHaveDuplicates());
  }
}
