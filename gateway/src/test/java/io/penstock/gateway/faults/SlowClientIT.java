package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that keep the gateway waiting: told so where they can hear it, and then let go. */
@ExtendWith(LeakWatch.class)
class SlowClientIT {
  private static final byte[] BODY = Lab.bytes(100_000);
  private static final String IMPATIENT =
      "listen: {s3: {port: 0, read-timeout: 200ms, idle-timeout: 1s}, admin: {port: 0}}\n";
  private static final FaultyStore.Script GOOD = FaultyStore.always(FaultyStore.ok("good"));

  private static Lab impatient(FaultyStore.Script script) throws Exception {
    return Lab.configured("pool: {}", IMPATIENT, script);
  }

  @Test
  void aBodyThatStopsComingIsARequestTimeout() throws Exception {
    try (Lab lab = impatient(GOOD)) {
      RawRequest put = lab.call("PUT", "/b/k").body(BODY).sign();
      try (RawClient client = lab.client()) {
        client.send(put.headBytes()).send(Arrays.copyOf(BODY, 50_000));
        FailingOriginIT.isS3Error(client.read(), 400, "RequestTimeout");
        assertThat(client.ended()).isTrue();
      }
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
    }
  }

  @Test
  void aDocumentThatStopsComingIsARequestTimeout() throws Exception {
    try (Lab lab = impatient(GOOD)) {
      RawRequest delete = lab.call("POST", "/b?delete").body(BODY).sign();
      try (RawClient client = lab.client()) {
        client.send(delete.headBytes()).send(Arrays.copyOf(BODY, 10));
        FailingOriginIT.isS3Error(client.read(), 400, "RequestTimeout");
      }
      assertThat(lab.store().requests()).isEmpty();
    }
  }

  @Test
  void aSlowStoreIsNotTheClientsFault() throws Exception {
    io.penstock.gateway.testing.Gate seen = new io.penstock.gateway.testing.Gate();
    FaultyStore.Script slow =
        peer -> {
          peer.readRequest();
          seen.await();
          peer.send(FaultyStore.ok("good"));
          peer.awaitEnd();
        };
    try (Lab lab = impatient(slow);
        RawClient client = lab.client();
        RawClient idle = lab.client()) {
      client.send(lab.call("PUT", "/b/k").body(BODY).sign().bytes());
      lab.probe().awaitMetric(1, "penstock_requests_in_flight");
      // longer than any patience with clients: until an idle neighbour was sent away
      assertThat(idle.ended()).isTrue();
      seen.open();
      assertThat(client.read().text()).isEqualTo("good");
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    try (Lab lab = impatient(GOOD);
        RawClient fresh = lab.client();
        RawClient used = lab.client()) {
      assertThat(used.send(lab.call("GET", "/b/k").sign().bytes()).read().text()).isEqualTo("good");
      assertThat(used.ended()).isTrue();
      assertThat(fresh.ended()).isTrue();
    }
  }

  @Test
  void aHeadThatNeverEndsIsNotWaitedForForever() throws Exception {
    try (Lab lab = impatient(GOOD);
        RawClient client = lab.client()) {
      client.send("GET /b/k HTTP/1.1\r\nHost: h\r\nX-Slow: ");
      assertThat(client.ended()).isTrue();
      assertThat(lab.store().requests()).isEmpty();
    }
  }

  @Test
  void aReaderThatTakesNothingIsLetGo() throws Exception {
    long huge = 1L << 34;
    FaultyStore.Script endless =
        peer -> {
          peer.readRequest();
          peer.send(Lab.head("200 OK", Map.of(), huge));
          peer.sendUpTo(huge, 64 << 10);
        };
    try (Lab lab = impatient(endless);
        RawClient client = lab.client()) {
      client.send(lab.call("GET", "/b/k").sign().bytes());
      lab.probe().awaitMetric(1, "penstock_request_duration_seconds_count", "GetObject");
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
      Answer answer = client.read();
      assertThat(answer.clean()).isFalse();
    }
  }
}
