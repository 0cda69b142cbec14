package io.penstock.loadtest.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.ScenarioLoader;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.LatencyRecorder;
import io.penstock.loadtest.record.LatencyRecorder.Times;
import io.penstock.loadtest.record.LatencyRecorder.Window;
import io.penstock.loadtest.record.Recording;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RunReportTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Origin ORIGIN =
      new Origin(
          Instant.EPOCH, "A <CPU>", 2, "Linux", "25", "abc1234", "./penstock loadtest run x.yaml");

  private static RunReport report(boolean withErrors) throws Exception {
    Scenario scenario = ScenarioLoader.parse("x", "name: golden\ndescription: a & b <c>");
    var recorder = new LatencyRecorder();
    recorder.opens(new Window(0, 5 * SECOND, SECOND));
    for (long i = 0; i < 5000; i++) {
      long due = i * 1_000_000;
      recorder.moved(due, 100_000);
      recorder.completed(new Times(due, due, due + 300_000, due + 400_000 + i * 100));
    }
    if (withErrors) {
      recorder.failed(ErrorKind.SLOW_DOWN, SECOND);
    }
    Recording recording = LatencyRecorder.merge(List.of(recorder));
    return new RunReport(scenario, "http://127.0.0.1:9000", recording, ORIGIN);
  }

  @Test
  void thePageLoadsNothingFromAnywhere() throws Exception {
    String page = report(false).html();
    assertThat(Pattern.compile("\\b(src|href|xlink:href|action|data)\\s*=").matcher(page).find())
        .isFalse();
    assertThat(page).doesNotContain("@import").doesNotContain("url(").doesNotContain("<link");
    // the endpoint that was measured is the only address in it
    assertThat(page.replace("http://127.0.0.1:9000", "")).doesNotContainPattern("https?://");
  }

  @Test
  void thePageHoldsTheSeriesAndTheOrigin() throws Exception {
    String page = report(false).html();
    assertThat(page)
        .contains("Load test: golden", "a &amp; b &lt;c&gt;", "A &lt;CPU&gt;", "abc1234")
        .contains("./penstock loadtest run x.yaml");
    assertThat(Pattern.compile("<svg").matcher(page).results()).hasSize(5);
    // five intervals of 1,000 requests and 100 MB each
    assertThat(Pattern.compile("\"requests\": 1000,").matcher(page).results()).hasSize(5);
    assertThat(Pattern.compile("\"bytes\": 100000000,").matcher(page).results()).hasSize(5);
    assertThat(page).doesNotContain("class=\"failed\"");
  }

  @Test
  void aRunWithErrorsSaysSoFirst() throws Exception {
    RunReport report = report(true);
    assertThat(report.html()).contains("class=\"failed\"", "1 x status 503");
    assertThat(report.text()).startsWith("\nFAILED").contains("slow-down");
    assertThat(Json.text(report.asMap())).contains("\"failed\": true", "\"slow-down\": 1");
  }

  @Test
  void theTextShowsPercentilesFromTheIntendedSendTime() throws Exception {
    assertThat(report(false).text())
        .contains("1,000 requests/s", "golden against http://127.0.0.1:9000", "p99.9")
        .containsPattern("from the intended send time +0\\.65");
  }

  @Test
  void jsonEscapesWhatWouldEndAScript() {
    String json = Json.text(Json.object("a", "</script>\"\\\n\u0001", "b", List.of(1, 2.5, true)));
    assertThat(json)
        .isEqualTo(
            """
            {
              "a": "\\u003c/script>\\"\\\\\\n\\u0001",
              "b": [
                1,
                2.5,
                true
              ]
            }
            """);
  }
}
