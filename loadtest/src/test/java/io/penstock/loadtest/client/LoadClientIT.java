package io.penstock.loadtest.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.ScenarioLoader;
import io.penstock.loadtest.record.Counters;
import io.penstock.loadtest.record.ErrorKind;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.sign.RequestSigner;
import io.penstock.loadtest.store.Knobs;
import io.penstock.loadtest.store.StaticStore;
import io.penstock.loadtest.store.StoreCounters;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against the static store, both ends counted. */
class LoadClientIT {
  private StaticStore store;
  private LoadClient client;

  @BeforeEach
  void start() {
    store = new StaticStore("127.0.0.1", 0, 1, Knobs.FAST);
    client = new LoadClient(2, InstantSource.system());
  }

  @AfterEach
  void stop() {
    client.close();
    store.close();
  }

  private static Target target(String endpoint) {
    var keys = new RequestSigner.Keys("demo", "demo-secret", "us-east-1");
    return new Target(URI.create(endpoint), keys, true);
  }

  private Recording run(String yaml) throws Exception {
    Scenario scenario = ScenarioLoader.parse("x", "name: x\n" + yaml);
    return client.run(
        scenario, target("http://127.0.0.1:" + store.port()), LoadClient.Watcher.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workload: {get: 1}\nobjects: {sizes: {1B: 1, 4KiB: 2, 3MiB: 1}}",
        "workload: {ranged: 1}\nobjects: {sizes: {1000000: 1}, range: 300000}",
        "workload: {get: 3, put: 2, list: 1, ranged: 1}\nobjects: {count: 5, zipf: 1.1}",
        "connections: {count: 7, threads: 2}",
      })
  void everyByteThatIsReadIsTheRightOne(String yaml) throws Exception {
    Recording recording = run(yaml + "\ntiming: {warmup: 100ms, duration: 600ms, grace: 20s}");
    assertThat(recording.errors()).isEmpty();
    assertThat(recording.totals().completed()).isPositive();
    assertThat(recording.totals().bytes()).isPositive();
    assertThat(recording.latency().getTotalCount()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"unsigned", "signed", "chunks-signed", "chunks-trailer", "unsigned-trailer"})
  void whatIsUploadedArrives(String payload) throws Exception {
    Recording recording =
        run(
            """
            workload: {put: 1}
            objects: {sizes: {5MiB: 1}, count: 2, payload: %s}
            connections: {count: 2}
            timing: {warmup: 0s, duration: 500ms, grace: 20s}
            """
                .formatted(payload));
    assertThat(recording.errors()).isEmpty();
    StoreCounters.Snapshot seen = store.counters();
    assertThat(seen.requests()).isPositive();
    // every request was drained to its end: the bodies all have one length
    assertThat(seen.received() % seen.requests()).isZero();
    assertThat(seen.received() / seen.requests()).isBetween(5L << 20, (5L << 20) + 10_000);
  }

  @Test
  void anOpenLoopSendsExactlyWhatIsDue() throws Exception {
    Recording recording =
        run(
            """
            arrivals: {kind: constant, rate: 200}
            objects: {sizes: {1KiB: 1}}
            timing: {warmup: 0s, duration: 1s, grace: 20s}
            """);
    assertThat(recording.errors()).isEmpty();
    assertThat(recording.latency().getTotalCount()).isEqualTo(200);
    assertThat(store.counters().requests()).isEqualTo(200);
  }

  @Test
  void theWindowIsWhatTheWatcherSees() throws Exception {
    var seen = new Counters[2];
    Scenario scenario =
        ScenarioLoader.parse("x", "name: x\ntiming: {warmup: 200ms, duration: 500ms}");
    client.run(
        scenario,
        target("http://127.0.0.1:" + store.port()),
        new LoadClient.Watcher() {
          @Override
          public void opened(Counters before) {
            seen[0] = before;
          }

          @Override
          public void closed(Counters after) {
            seen[1] = after;
          }
        });
    assertThat(seen[1].minus(seen[0]).completed()).isPositive();
    assertThat(seen[1].bytes()).isLessThanOrEqualTo(store.counters().sent());
  }

  @Test
  void nobodyListeningIsSaidSo() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Scenario scenario = ScenarioLoader.parse("x", "name: x\nconnections: {count: 1}");
    assertThatThrownBy(
            () -> client.run(scenario, target("http://127.0.0.1:" + port), LoadClient.Watcher.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is it running?");
  }

  @Test
  void errorsAreCountedByKind() throws Exception {
    Scenario scenario =
        ScenarioLoader.parse(
            "x",
            "name: x\nconnections: {count: 1}\nobjects: {sizes: {3B: 1}}\n"
                + "timing: {warmup: 0s, duration: 700ms, grace: 100ms}");
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String[] answers = {
        "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na",
        "NONSENSE\r\n\r\n",
      };
      Thread script = Thread.startVirtualThread(() -> answerInTurn(server, answers));
      Recording recording =
          client.run(
              scenario,
              target("http://127.0.0.1:" + server.getLocalPort()),
              LoadClient.Watcher.NONE);
      script.join();
      assertThat(recording.errors())
          .containsAllEntriesOf(
              Map.of(
                  ErrorKind.SLOW_DOWN, 1L,
                  ErrorKind.CLIENT_STATUS, 1L,
                  ErrorKind.SERVER_STATUS, 1L,
                  ErrorKind.CONTENT, 2L,
                  ErrorKind.CLOSED, 1L,
                  ErrorKind.PROTOCOL, 1L,
                  ErrorKind.UNFINISHED, 1L));
      assertThat(recording.totals().completed()).isZero();
    }
  }

  /** One connection per answer; the last one is left without any. */
  private static void answerInTurn(ServerSocket server, String[] answers) {
    try {
      for (String answer : answers) {
        try (var socket = server.accept()) {
          awaitHead(socket);
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
          socket.getOutputStream().flush();
        }
      }
      try (var silent = server.accept()) {
        while (silent.getInputStream().read() >= 0) {
          // until the client gives up
        }
      }
    } catch (java.io.IOException e) {
      // the client has gone
    }
  }

  private static void awaitHead(java.net.Socket socket) throws java.io.IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new java.io.EOFException();
      }
      head.append((char) next);
    }
  }
}
