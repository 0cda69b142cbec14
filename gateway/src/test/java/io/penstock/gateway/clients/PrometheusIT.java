package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes the gateway and answers queries about it; its own linter has nothing to
 * say.
 */
class PrometheusIT {
  private static final int TRIES = 150;
  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;

  @Test
  void prometheusScrapesTheGateway() throws Exception {
    Path prometheus = Tools.program("prometheus", "prometheus");
    Stack stack = Stand.of(StoreUnderTest.Kind.EMBEDDED).stack();
    makeSomeTraffic(stack);
    int port = Tools.freePort();
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, scrape_timeout: 1s}
            scrape_configs:
              - {job_name: gateway, static_configs: [{targets: ['%s']}]}
            """
                .formatted(stack.gateway().admin().getAuthority()));
    List<String> command =
        List.of(
            "bash",
            Tools.resource("stores/until-stdin-ends.sh").toString(),
            prometheus.toString(),
            "--config.file=" + config,
            "--storage.tsdb.path=" + folder.resolve("data"),
            "--web.listen-address=127.0.0.1:" + port);
    try (Daemon _ = Daemon.start(command, Tools.workFolder("prometheus").resolve("stderr.log"))) {
      assertThat(query(port, "up{job=\"gateway\"}")).contains("\"1\"]");
      assertThat(
              query(port, "penstock_request_duration_seconds_count{operation=\"ListBuckets\"} > 0"))
          .contains("\"method\":\"GET\"")
          .contains("\"status\":\"200\"");
      assertThat(query(port, "penstock_build_info")).contains("\"1\"]");
    }
  }

  @Test
  void promtoolFindsNothingToComplainAbout() throws Exception {
    Path promtool = Tools.program("promtool", "prometheus");
    Stack stack = Stand.of(StoreUnderTest.Kind.EMBEDDED).stack();
    makeSomeTraffic(stack);
    Path metrics =
        Files.writeString(folder.resolve("metrics"), get(stack.gateway().admin() + "/metrics"));
    Process check =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectInput(metrics.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEmpty();
    assertThat(check.waitFor()).isZero();
    assertThat(metrics).content().contains("# TYPE penstock_request_duration_seconds histogram");
  }

  private static void makeSomeTraffic(Stack stack) {
    try (var s3 = stack.client()) {
      s3.listBuckets();
    }
  }

  /** The first answer that holds a sample, asked for until there is one. */
  private String query(int port, String expression) throws Exception {
    String url =
        "http://127.0.0.1:%d/api/v1/query?query=%s"
            .formatted(port, URLEncoder.encode(expression, StandardCharsets.UTF_8));
    String last = "nothing";
    for (int i = 0; i < TRIES; i++) {
      try {
        last = get(url);
        if (last.contains("\"value\":")) {
          return last;
        }
      } catch (IOException e) {
        last = e.toString();
      }
      Thread.sleep(200);
    }
    throw new AssertionError("no sample for " + expression + ": " + last);
  }

  private String get(String url) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
