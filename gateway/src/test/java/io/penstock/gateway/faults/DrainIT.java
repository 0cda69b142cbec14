package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import io.penstock.gateway.testing.Stack;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gateway is told to end: what has begun is finished, and nothing fails because of it. */
@ExtendWith(LeakWatch.class)
class DrainIT {

  @Test
  void requestsInFlightAreFinishedAndReadyIsTheFirstToGo() throws Exception {
    Gate arrived = new Gate();
    Gate answer = new Gate();
    FaultyStore.Script waits =
        peer -> {
          peer.readRequest();
          arrived.open();
          answer.await();
          peer.send(FaultyStore.ok("good"));
          peer.awaitEnd();
        };
    try (FaultyStore store = FaultyStore.start(waits)) {
      Stack stack = Stack.start(store.uri(), "ak", "sk", "");
      Probe probe = new Probe(stack.gateway().admin());
      byte[] body = Lab.bytes(500_000);
      try (RawClient download = new RawClient(stack.s3());
          RawClient upload = new RawClient(stack.s3())) {
        download.send(new SignedCall(stack.s3(), "GET", "/b/k").sign().bytes());
        arrived.await();
        var put = new SignedCall(stack.s3(), "PUT", "/b/k").body(body).sign();
        upload.send(put.headBytes()).send(Arrays.copyOf(body, 100_000));
        probe.awaitMetric(2, "penstock_requests_in_flight");
        var drained = stack.gateway().drain();
        assertThat(probe.get("/health/ready").status()).isEqualTo(503);
        assertThat(probe.get("/health/live").status()).isEqualTo(200);
        assertThat(drained.isComplete()).isFalse();
        // an upload that has begun may go on
        upload.send(Arrays.copyOfRange(body, 100_000, body.length));
        answer.open();
        for (RawClient client : new RawClient[] {download, upload}) {
          Answer answered = client.read();
          assertThat(answered.text()).isEqualTo("good");
          assertThat(answered.fields()).containsEntry("connection", "close");
          assertThat(client.ended()).isTrue();
        }
        Stack.await(drained);
      }
      assertThat(store.requests()).hasSize(2);
    }
  }

  @Test
  void aRequestOnAnOpenConnectionIsStillServed() throws Exception {
    Gate arrived = new Gate();
    Gate answer = new Gate();
    FaultyStore.Script waits =
        peer -> {
          while (peer.readRequest() != null) {
            arrived.open();
            answer.await();
            peer.send(FaultyStore.ok("good"));
          }
        };
    try (FaultyStore store = FaultyStore.start(waits)) {
      Stack stack = Stack.start(store.uri(), "ak", "sk", "");
      try (RawClient holder = new RawClient(stack.s3());
          RawClient late = new RawClient(stack.s3())) {
        byte[] get = new SignedCall(stack.s3(), "GET", "/b/k").sign().bytes();
        holder.send(get);
        arrived.await();
        late.send(get);
        new Probe(stack.gateway().admin()).awaitMetric(2, "penstock_requests_in_flight");
        var drained = stack.gateway().drain();
        answer.open();
        assertThat(holder.read().text()).isEqualTo("good");
        assertThat(late.read().text()).isEqualTo("good");
        Stack.await(drained);
      }
    }
  }

  @Test
  void whatNeverEndsIsCutByTheDrainTimeout() throws Exception {
    Gate arrived = new Gate();
    FaultyStore.Script silent =
        peer -> {
          peer.readRequest();
          arrived.open();
          peer.awaitEnd();
        };
    try (FaultyStore store = FaultyStore.start(silent)) {
      Stack stack = Stack.start(store.uri(), "ak", "sk", "limits: {drain-timeout: 300ms}\n");
      try (RawClient client = new RawClient(stack.s3())) {
        client.send(new SignedCall(stack.s3(), "GET", "/b/k").sign().bytes());
        arrived.await();
        Stack.await(stack.gateway().drain());
        assertThat(client.ended()).isTrue();
      }
    }
  }
}
