package io.penstock.loadtest.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.peers.Fleet.Place;
import io.penstock.loadtest.store.Knobs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting and stopping peers, with scripts of our own in place of proxies. */
class FleetIT {
  @TempDir private Path root;
  private Path scripts;

  @BeforeEach
  void scripts() throws IOException {
    scripts = Files.createDirectories(root.resolve("loadtest/peers"));
    script(
        "sleeper",
        "echo started; echo $$ > $ROOT/pid; sleep 600 & echo $! > $ROOT/child\n"
            + "exec \"$JAVA\" -m jdk.httpserver -b 127.0.0.1 -p $PORT -d \"$FILES\"");
    script("missing", "echo 'the proxy is missing: install it' >&2; exit 3");
  }

  private void script(String name, String body) throws IOException {
    Path file = scripts.resolve(name + ".sh");
    Files.writeString(file, "#!/bin/sh\nset -eu\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void aPeerIsStartedOnceServesFilesAndIsGoneAfterwards() throws Exception {
    var scenario = BenchCases.all().getFirst().scenario();
    Variant variant = Variant.proxy("sleeper").in("sendfile");
    int port;
    try (var fleet = new Fleet(new Place(root, 0))) {
      assertThat(fleet.start(variant, scenario)).isTrue();
      assertThat(fleet.start(variant.with("another name for it", ""), scenario)).isTrue();
      port = fleet.port(variant);
      assertThat(fleet.pid(variant)).contains(pid("pid"));
      var http = HttpClient.newHttpClient();
      var object = URI.create("http://127.0.0.1:" + port + "/bench/4096-999");
      var got = http.send(HttpRequest.newBuilder(object).build(), BodyHandlers.ofByteArray());
      assertThat(got.body()).hasSize(4096);
      // the next case finds the process running, and its own objects
      assertThat(fleet.start(variant, BenchCases.all().get(1).scenario())).isTrue();
      var larger = URI.create("http://127.0.0.1:" + port + "/bench/102400-255");
      got = http.send(HttpRequest.newBuilder(larger).build(), BodyHandlers.ofByteArray());
      assertThat(got.body()).hasSize(102_400);
      http.close();
    }
    assertThat(ProcessHandle.of(pid("pid")).filter(ProcessHandle::isAlive)).isEmpty();
    // an orphan stays visible until init has collected it
    ProcessHandle.of(pid("child"))
        .ifPresent(child -> assertThat(child.onExit()).succeedsWithin(Duration.ofSeconds(10)));
    try (var again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(again.isBound()).isTrue();
    }
  }

  private long pid(String file) throws IOException {
    return Long.parseLong(Files.readString(root.resolve(file)).strip());
  }

  @Test
  void aPeerThatCannotRunHereIsNamedWithItsReason() throws Exception {
    try (var fleet = new Fleet(new Place(root, 0))) {
      Variant variant = Variant.proxy("missing");
      assertThat(fleet.start(variant, BenchCases.all().getFirst().scenario())).isFalse();
      assertThat(fleet.unavailable())
          .singleElement()
          .asString()
          .contains("missing", "the proxy is missing: install it");
    }
  }

  @Test
  void withoutAProxyClientsTalkToTheStore() throws Exception {
    try (var fleet = new Fleet(new Place(root, 0))) {
      Variant direct = Variant.direct(Knobs.FAST);
      assertThat(fleet.start(direct, BenchCases.all().getFirst().scenario())).isTrue();
      assertThat(fleet.port(direct)).isPositive();
      assertThat(fleet.pid(direct)).isEmpty();
    }
  }
}
