package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyPeer;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.FaultyStore.Script;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.TestTransport;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client leaves: whatever runs for it at the store ends at once, not by a timeout. */
@ExtendWith(LeakWatch.class)
class LeavingClientIT {
  private static final long HUGE = 1L << 40;

  /** How a client can leave. */
  enum Leaving {
    CLOSE,
    RESET;

    void leave(RawClient client) throws Exception {
      if (this == RESET) {
        client.socket().setSoLinger(true, 0);
      }
      client.close();
    }
  }

  /** What a script has seen at the store, for the test to wait for. */
  private static final class Sight {
    final Gate begun = new Gate();
    final CompletableFuture<Long> ended = new CompletableFuture<>();

    long awaitEnd() throws Exception {
      return ended.get(Gate.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static Script silent(Sight sight) {
    return peer -> {
      peer.readRequest();
      sight.begun.open();
      peer.awaitEnd();
      sight.ended.complete(0L);
    };
  }

  private static Script endless(Sight sight) {
    return peer -> {
      peer.readRequest();
      peer.send(Lab.head("200 OK", Map.of("ETag", "\"v1\""), HUGE));
      sight.ended.complete(peer.sendUpTo(HUGE, 64 << 10));
    };
  }

  /** Takes a head and then nothing, or everything, of its body. */
  private static Script upload(Sight sight, boolean reads) {
    return peer -> {
      peer.readHead();
      sight.begun.open();
      sight.ended.complete(reads ? drained(peer) : unread(peer));
    };
  }

  private static long drained(FaultyPeer peer) throws Exception {
    long bytes = 0;
    try {
      while (peer.read(1).length > 0) {
        bytes++;
      }
    } catch (SocketException reset) {
      // as it should be: nobody can take this for an end
    }
    return bytes;
  }

  private static long unread(FaultyPeer peer) throws Exception {
    peer.awaitReset();
    return 0;
  }

  @ParameterizedTest
  @EnumSource
  void whileTheStoreThinks(Leaving leaving) throws Exception {
    Sight sight = new Sight();
    try (Lab lab = Lab.of(silent(sight))) {
      RawClient client = lab.client().send(lab.call("GET", "/b/k").sign().bytes());
      sight.begun.await();
      leaving.leave(client);
      sight.awaitEnd();
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
      lab.probe()
          .awaitMetric(1, "penstock_request_duration_seconds_count", "GetObject", "status=\"0\"");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void inTheMiddleOfADownload(Leaving leaving) throws Exception {
    Sight sight = new Sight();
    try (Lab lab = Lab.of(endless(sight))) {
      RawClient client = lab.client().send(lab.call("GET", "/b/k").sign().bytes());
      assertThat(client.socket().getInputStream().readNBytes(1_000_000)).hasSize(1_000_000);
      leaving.leave(client);
      assertThat(sight.awaitEnd()).isLessThan(HUGE);
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @Test
  void aReaderThatStandsStillHoldsNoMoreThanItsWindowAndMayStillLeave() throws Exception {
    Sight sight = new Sight();
    try (Lab lab = Lab.of(endless(sight))) {
      RawClient client = lab.client().send(lab.call("GET", "/b/k").sign().bytes());
      assertThat(client.socket().getInputStream().readNBytes(100)).hasSize(100);
      lab.probe().awaitStill("penstock_upstream_received_bytes_total");
      assertThat(lab.probe().metric("penstock_memory_reserved_bytes")).isPositive();
      assertThat(sight.ended).isNotDone();
      Leaving.RESET.leave(client);
      // sockets in between hold some as well
      assertThat(sight.awaitEnd()).isLessThan(64L << 20);
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inTheMiddleOfAnUpload(boolean storeReads) throws Exception {
    Sight sight = new Sight();
    byte[] body = Lab.bytes(30_000_000);
    try (Lab lab = Lab.of(upload(sight, storeReads))) {
      var put = lab.call("PUT", "/b/k").body(body).sign();
      RawClient client = lab.client().send(put.headBytes());
      client.send(Arrays.copyOf(body, 100_000));
      sight.begun.await();
      client.close();
      assertThat(sight.awaitEnd()).isLessThanOrEqualTo(100_000);
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  /** Its socket is not read then, so that its leaving has to be noticed in another way. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NIO")
  void whileItsUploadIsHeldUpByTheStore(TestTransport transport) throws Exception {
    Assumptions.assumeTrue(TestTransport.available().contains(transport));
    Sight sight = new Sight();
    byte[] body = Lab.bytes(30_000_000);
    String runtime = "runtime: {transport: " + transport.name().toLowerCase(Locale.ROOT) + "}\n";
    try (Lab lab = Lab.configured("pool: {}", runtime, upload(sight, false))) {
      var put = lab.call("PUT", "/b/k").body(body).sign();
      RawClient client = lab.client();
      Thread sender = Thread.ofVirtual().start(() -> sendAll(client, put.bytes()));
      sight.begun.await();
      lab.probe().awaitStill("penstock_upstream_sent_bytes_total");
      assertThat(lab.probe().metric("penstock_upstream_sent_bytes_total")).isLessThan(30_000_000);
      Leaving.RESET.leave(client);
      sender.join();
      sight.awaitEnd();
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
    }
  }

  private static void sendAll(RawClient client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (java.io.IOException left) {
      // on purpose
    }
  }

  @Test
  void whileItWaitsForAConnection() throws Exception {
    Sight first = new Sight();
    try (Lab lab =
        Lab.configured(
            "pool: {max-connections: 1}", "runtime: {event-loops: 1}\n", silent(first))) {
      RawClient holder = lab.client().send(lab.call("GET", "/b/one").sign().bytes());
      first.begun.await();
      RawClient waiter = lab.client().send(lab.call("GET", "/b/two").sign().bytes());
      lab.probe().awaitMetric(1, "penstock_upstream_calls_waiting");
      waiter.close();
      lab.probe().awaitMetric(0, "penstock_upstream_calls_waiting");
      lab.probe().awaitMetric(1, "penstock_requests_in_flight");
      assertThat(first.ended).isNotDone();
      holder.close();
      first.awaitEnd();
      assertThat(lab.requests("GET /b/two ")).isEmpty();
    }
  }

  @Test
  void duringThePauseBeforeARetry() throws Exception {
    Script refuses =
        FaultyStore.always("HTTP/1.1 503 Slow\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n");
    try (Lab lab = Lab.configured("retry: {max-backoff: 5m}", "", refuses)) {
      RawClient client = lab.client().send(lab.call("GET", "/b/k").sign().bytes());
      lab.probe().awaitMetric(1, "penstock_upstream_retries_total");
      client.close();
      lab.probe().awaitMetric(0, "penstock_requests_in_flight");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }
}
