package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.observe.catalogue.Catalogue;
import io.penstock.gateway.observe.catalogue.Dashboard;
import io.penstock.gateway.testing.Stack;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A real Prometheus loads the alert rules, scrapes a gateway under load, and has an answer for
 * every query of the dashboard.
 */
class DashboardIT {
  private static final Path K8S = Path.of("..", "k8s");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);
  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;

  @Test
  void everyQueryOfTheDashboardHasDataAndEveryRuleIsEvaluated() throws Exception {
    Path prometheus = Tools.program("prometheus", "prometheus");
    EmbeddedStore store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    String disk = "cache: {disk: {path: '%s', size: 16MiB}}\n".formatted(folder.resolve("cache"));
    try (store;
        Stack stack = Stack.start(store.endpoint(), "ak", "sk", disk)) {
      judge(prometheus, stack);
    }
  }

  private void judge(Path prometheus, Stack stack) throws Exception {
    int port = Tools.freePort();
    List<String> command =
        List.of(
            "bash",
            Tools.resource("stores/until-stdin-ends.sh").toString(),
            prometheus.toString(),
            "--config.file=" + configuration(stack),
            "--storage.tsdb.path=" + folder.resolve("data"),
            "--web.listen-address=127.0.0.1:" + port);
    Path log = Tools.workFolder("dashboard").resolve("stderr.log");
    try (Daemon _ = Daemon.start(command, log);
        S3Client s3 = stack.client()) {
      s3.createBucket(r -> r.bucket("dashboard"));
      Set<String> unanswered = new TreeSet<>(queries());
      assertThat(unanswered).hasSizeGreaterThan(40);
      List<String> rules = new ArrayList<>();
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (!(unanswered.isEmpty() && rules.size() > 10) && System.nanoTime() < deadline) {
        load(s3);
        unanswered.removeIf(query -> answered(port, query));
        rules = evaluated(port);
      }
      assertThat(unanswered).as("queries without data").isEmpty();
      assertThat(rules).contains("PenstockErrors", "PenstockConfigNotApplied");
    }
    everyNameIsDeclared(stack);
  }

  /** Also those of events that a healthy gateway does not have. */
  private void everyNameIsDeclared(Stack stack) throws Exception {
    Set<String> names = new TreeSet<>(Catalogue.names(Files.readString(alerts())));
    queries().forEach(query -> names.addAll(Catalogue.names(query)));
    String reference = Files.readString(Path.of("..", "docs", "metrics.md"));
    String live = get(stack.gateway().admin() + "/metrics");
    assertThat(names)
        .allSatisfy(
            name -> {
              String family = name.replaceFirst("_(bucket|count|sum)$", "");
              assertThat(live.contains("\n" + name) || reference.contains("`" + family + "`"))
                  .as(name)
                  .isTrue();
            });
  }

  private Path configuration(Stack stack) throws IOException {
    return Files.writeString(
        folder.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
        rule_files: ['%s']
        scrape_configs:
          - {job_name: penstock, static_configs: [{targets: ['%s']}]}
        """
            .formatted(alerts(), stack.gateway().admin().getAuthority()));
  }

  private static Path alerts() throws IOException {
    return K8S.resolve("alerts/penstock.yaml").toRealPath();
  }

  private static List<String> queries() throws IOException {
    return Dashboard.expressions(Files.readString(K8S.resolve("dashboards/penstock.json"))).stream()
        .map(it -> it.replace("$instance", ".*").replace("$__rate_interval", "20s"))
        .toList();
  }

  private static void load(S3Client s3) {
    for (int i = 0; i < 20; i++) {
      String key = "object-" + i;
      s3.putObject(r -> r.bucket("dashboard").key(key), RequestBody.fromBytes(new byte[10_000]));
      s3.getObjectAsBytes(r -> r.bucket("dashboard").key(key));
    }
  }

  private boolean answered(int port, String query) {
    try {
      return !ask(port, "query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
          .getJsonArray("result")
          .isEmpty();
    } catch (IOException notYet) {
      return false;
    }
  }

  private List<String> evaluated(int port) {
    List<String> names = new ArrayList<>();
    try {
      for (Object group : ask(port, "rules").getJsonArray("groups", new JsonArray())) {
        for (Object rule : ((JsonObject) group).getJsonArray("rules")) {
          JsonObject it = (JsonObject) rule;
          assertThat(it.getString("health")).isNotEqualTo("err");
          if ("ok".equals(it.getString("health"))) {
            names.add(it.getString("name"));
          }
        }
      }
    } catch (IOException notYet) {
      names.clear();
    }
    return names;
  }

  private JsonObject ask(int port, String what) throws IOException {
    JsonObject answer = new JsonObject(get("http://127.0.0.1:" + port + "/api/v1/" + what));
    assertThat(answer.getString("status")).as(answer.encode()).isEqualTo("success");
    return answer.getJsonObject("data");
  }

  private String get(String url) throws IOException {
    try {
      return http.send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
