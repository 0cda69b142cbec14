package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One connection to the store is slow: large objects come over several, whatever happens. */
@ExtendWith(LeakWatch.class)
class NarrowOriginIT {
  private static final byte[] OBJECT = Lab.bytes(6 << 20);
  private static final int BYTES_PER_MILLI = 1_500;
  private static final String SMALL_PARTS =
      "fan-out: {min-object: 1MiB, min-part: 64KiB, max-part: 1MiB, max-connections: 8}, "
          + "retry: {initial-backoff: 1ms, max-backoff: 5ms}";

  private static Lab lab(NarrowOrigin origin) throws Exception {
    Lab lab = Lab.configured(SMALL_PARTS, "", origin.script());
    // so that the latency which is measured is not that of a JVM that loads classes
    lab.send(lab.call("GET", "/b/first").field("Range", "bytes=0-9").sign());
    return lab;
  }

  private static double parts(Lab lab) {
    return lab.probe().metric("penstock_upstream_parts_total", "GetObject");
  }

  @Test
  void aLargeObjectComesOverSeveralConnections() throws Exception {
    try (Lab lab = lab(new NarrowOrigin(OBJECT, BYTES_PER_MILLI))) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.clean()).isTrue();
      assertThat(answer.body()).isEqualTo(OBJECT);
      List<String> requests = lab.requests("GET /b/k ");
      assertThat(requests.getFirst()).doesNotContainIgnoringCase("\r\nrange:");
      assertThat(requests).hasSizeGreaterThan(4);
      assertThat(requests.subList(1, requests.size()))
          .allSatisfy(
              head ->
                  assertThat(head)
                      .containsIgnoringCase("\r\nif-match: \"v1\"")
                      .containsPattern("(?i)\r\nrange: bytes=[0-9]+-[0-9]+"));
      assertThat(parts(lab)).isGreaterThanOrEqualTo(4);
      lab.probe().awaitMetric(0, "penstock_upstream_fan_out");
    }
  }

  @Test
  void aRangeOfAnObjectToo() throws Exception {
    try (Lab lab = lab(new NarrowOrigin(OBJECT, BYTES_PER_MILLI))) {
      Answer answer =
          lab.send(lab.call("GET", "/b/k").field("Range", "bytes=1000000-5999999").sign());
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.fields().get("content-range")).isEqualTo("bytes 1000000-5999999/6291456");
      assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(OBJECT, 1_000_000, 6_000_000));
      assertThat(parts(lab)).isPositive();
    }
  }

  @Test
  void offMeansOneConnection() throws Exception {
    NarrowOrigin origin = new NarrowOrigin(OBJECT, 4 * BYTES_PER_MILLI);
    try (Lab lab = Lab.configured("fan-out: {enabled: false}", "", origin.script())) {
      assertThat(lab.get("/b/k").body()).isEqualTo(OBJECT);
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @Test
  void brokenAndRefusedPartsAreAskedForAgain() throws Exception {
    NarrowOrigin origin =
        new NarrowOrigin(OBJECT, BYTES_PER_MILLI)
            .breaking(n -> n > 4 && n % 5 == 0)
            .refusing(n -> n > 4 && n % 7 == 0);
    try (Lab lab = lab(origin)) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.clean()).isTrue();
      assertThat(answer.body()).isEqualTo(OBJECT);
      assertThat(lab.probe().metric("penstock_upstream_resumes_total")).isPositive();
    }
  }

  @Test
  void anObjectThatIsOverwrittenMeanwhileIsNeverMixed() throws Exception {
    byte[] other = OBJECT.clone();
    new SplittableRandom(1).nextBytes(other);
    NarrowOrigin origin = new NarrowOrigin(OBJECT, BYTES_PER_MILLI);
    try (Lab lab = lab(origin);
        RawClient client = lab.client()) {
      client.send(lab.call("GET", "/b/k").sign().bytes());
      FutureTask<Answer> reading = new FutureTask<>(client::read);
      Thread.ofVirtual().start(reading);
      Probe.await("parts", () -> origin.requests() > 5);
      origin.overwrite(other);
      Answer answer = reading.get();
      assertThat(answer.clean()).isFalse();
      assertThat(answer.body()).isEqualTo(Arrays.copyOf(OBJECT, answer.body().length));
    }
  }

  @Test
  void clientsThatLeaveAtAnyTimeLeaveNothingBehind() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    try (Lab lab = lab(new NarrowOrigin(OBJECT, BYTES_PER_MILLI))) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        clients.add(lab.client().send(lab.call("GET", "/b/k").sign().bytes()));
      }
      for (RawClient client : clients) {
        int taken = random.nextInt(1, 3 << 20);
        client.socket().getInputStream().readNBytes(taken);
        if (random.nextBoolean()) {
          client.socket().setSoLinger(true, 0);
        }
        client.close();
      }
      assertThat(parts(lab)).isPositive();
      lab.probe().awaitQuiet();
      lab.probe().awaitMetric(0, "penstock_upstream_fan_out");
    }
  }
}
