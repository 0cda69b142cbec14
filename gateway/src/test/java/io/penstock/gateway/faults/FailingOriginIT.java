package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.FaultyStore.Script;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient.Answer;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The origin does not answer, or not with what was asked for. */
@ExtendWith(LeakWatch.class)
class FailingOriginIT {
  private static final byte[] OBJECT = Lab.bytes(100_000);
  private static final Script GOOD = FaultyStore.always(FaultyStore.ok("good"));
  private static final String SLOW_DOWN_XML =
      "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Reduce</Message><RequestId>R1</RequestId></Error>";

  private static Script once(String... said) {
    return peer -> {
      peer.readRequest();
      for (String text : said) {
        peer.send(text);
      }
    };
  }

  private static String slowDown(String retryAfter) {
    return "HTTP/1.1 503 Slow Down\r\nRetry-After: %s\r\nx-amz-request-id: R1\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(retryAfter, SLOW_DOWN_XML.length(), SLOW_DOWN_XML);
  }

  @Test
  void slowDownPassesWithItsBodyAndItsRetryAfter() throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", FaultyStore.always(slowDown("7")))) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.fields())
          .containsEntry("retry-after", "7")
          .containsEntry("x-amz-request-id", "R1");
      assertThat(answer.text()).isEqualTo(SLOW_DOWN_XML);
      // seven seconds are the client's to wait, not the gateway's
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @Test
  void slowDownWithoutATimeIsTriedAgainAndThenPassed() throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", FaultyStore.always(slowDown("0")))) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.text()).isEqualTo(SLOW_DOWN_XML);
      assertThat(lab.store().requests()).hasSize(3);
      assertThat(lab.probe().metric("penstock_upstream_retries_total")).isEqualTo(2);
    }
  }

  @Test
  void slowDownToAnUploadIsNotTriedAgain() throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", FaultyStore.always(slowDown("0")))) {
      Answer answer = lab.send(lab.call("PUT", "/b/k").body(OBJECT).sign());
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.fields()).containsEntry("retry-after", "0");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void aPassingErrorIsNotSeenByTheReader(int status) throws Exception {
    String failing = "HTTP/1.1 " + status + " Oops\r\nContent-Length: 0\r\n\r\n";
    try (Lab lab =
        Lab.configured(Lab.QUICK + "", "runtime: {event-loops: 1}\n", once(failing), GOOD)) {
      assertThat(lab.get("/b/k").text()).isEqualTo("good");
      assertThat(lab.requests("GET /b/k ")).hasSize(2);
    }
  }

  /** Nothing, a line, garbage, a wrong length, a head without end: none of it is an answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ngood",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nBad Name: 1\r\nContent-Length: 4\r\n\r\ngood",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
      })
  void whatIsNoAnswerIsAskedForAgainAndThenReported(String said) throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", once(said))) {
      Answer answer = lab.get("/b/k");
      isS3Error(answer, 503, "ServiceUnavailable");
      assertThat(answer.fields()).containsKey("retry-after");
      assertThat(lab.requests("GET /b/k ")).hasSize(3);
    }
    try (Lab lab = Lab.configured(Lab.QUICK, "", once(said))) {
      Answer answer = lab.send(lab.call("PUT", "/b/k").body(OBJECT).sign());
      isS3Error(answer, 503, "ServiceUnavailable");
      // it may have been stored: only the client can decide to send it again
      assertThat(lab.requests("PUT /b/k ")).hasSize(1);
    }
  }

  @Test
  void aStallBeforeTheHeadIsNeverAnInternalError() throws Exception {
    Script stalls =
        peer -> {
          peer.readRequest();
          peer.awaitEnd();
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", stalls)) {
      Answer answer = lab.get("/b/k");
      isS3Error(answer, 503, "ServiceUnavailable");
      assertThat(answer.fields()).containsKey("retry-after");
      assertThat(answer.text()).contains("upstream.pool.response-timeout");
      Answer upload = lab.send(lab.call("PUT", "/b/k").body(OBJECT).sign());
      isS3Error(upload, 503, "ServiceUnavailable");
      assertThat(lab.requests("PUT /b/k ")).hasSize(1);
    }
  }

  @Test
  void aStoreThatIsNotThereIsSaidSo() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    String nowhere =
        "endpoints: ['http://127.0.0.1:"
            + port
            + "'], retry: {initial-backoff: 1ms, max-backoff: 5ms}";
    try (Lab lab = Lab.elsewhere(nowhere)) {
      Answer answer = lab.get("/b/k");
      isS3Error(answer, 503, "ServiceUnavailable");
      assertThat(answer.fields()).containsKey("retry-after");
      isS3Error(lab.send(lab.call("PUT", "/b/k").body(OBJECT).sign()), 503, "ServiceUnavailable");
      assertThat(lab.store().connections()).isZero();
    }
  }

  @Test
  void aDeadEndpointIsStandInForByAnother() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    try (FaultyStore alive = FaultyStore.start(GOOD);
        Lab lab =
            Lab.elsewhere(
                "endpoints: ['http://127.0.0.1:%d', '%s'], retry: {initial-backoff: 1ms}"
                    .formatted(port, alive.uri()))) {
      for (int i = 0; i < 4; i++) {
        assertThat(lab.get("/b/k").text()).isEqualTo("good");
      }
      assertThat(alive.requests()).hasSize(4);
    }
  }

  @Test
  void interimAnswersOfTheStoreAreItsOwn() throws Exception {
    Script interim =
        once(
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n",
            FaultyStore.ok("good"));
    try (Lab lab = Lab.configured(Lab.QUICK, "", interim)) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("good");
    }
  }

  @Test
  void aStoreThatRefusesAnUploadEarlyIsHeard() throws Exception {
    BlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
    String xml = "<Error><Code>AccessDenied</Code></Error>";
    Script refuses =
        peer -> {
          peer.readHead();
          taken.add(peer.read(1000).length);
          peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: " + xml.length() + "\r\n\r\n" + xml);
          peer.awaitEnd();
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", refuses)) {
      Answer answer = lab.send(lab.call("PUT", "/b/k").body(Lab.bytes(3_000_000)).sign());
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.text()).isEqualTo(xml);
      assertThat(taken.poll(20, TimeUnit.SECONDS)).isEqualTo(1000);
    }
  }

  @Test
  void aStaleConnectionCostsNobodyAnything() throws Exception {
    Script answersOnceThenResets =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("first"));
          peer.readHead();
          peer.reset();
        };
    try (Lab lab =
        Lab.configured(
            "retry: {max-attempts: 1}",
            "runtime: {event-loops: 1}\n",
            answersOnceThenResets,
            GOOD)) {
      assertThat(lab.get("/b/k").text()).isEqualTo("first");
      assertThat(lab.get("/b/k").text()).isEqualTo("good");
      assertThat(lab.store().connections()).isEqualTo(2);
      assertThat(lab.requests("GET /b/k ")).hasSize(3);
      assertThat(lab.probe().metric("penstock_upstream_connections_stale_total")).isEqualTo(1);
    }
  }

  @Test
  void aStoreThatClosesIdleConnectionsIsNotEvenAsked() throws Exception {
    Script answersOnce =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("first"));
        };
    try (Lab lab =
        Lab.configured(
            "retry: {max-attempts: 1}", "runtime: {event-loops: 1}\n", answersOnce, GOOD)) {
      assertThat(lab.get("/b/k").text()).isEqualTo("first");
      lab.probe().awaitMetric(0, "penstock_upstream_connections");
      Answer upload = lab.send(lab.call("PUT", "/b/k").body(OBJECT).sign());
      assertThat(upload.text()).isEqualTo("good");
      assertThat(lab.requests("PUT /b/k ")).hasSize(1);
    }
  }

  @Test
  void keepAliveSpacesAndALateErrorPassUntouched() throws Exception {
    String late = "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code></Error>";
    Script completing =
        peer -> {
          peer.readRequest();
          peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n1\r\n \r\n");
          peer.send(Integer.toHexString(late.length()) + "\r\n" + late + "\r\n0\r\n\r\n");
          peer.awaitEnd();
        };
    try (Lab lab = Lab.of(completing)) {
      byte[] parts = "<CompleteMultipartUpload/>".getBytes(java.nio.charset.StandardCharsets.UTF_8);
      Answer answer = lab.send(lab.call("POST", "/b/k?uploadId=1").body(parts).sign());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.clean()).isTrue();
      assertThat(answer.text()).isEqualTo("  " + late);
      assertThat(lab.requests("POST /b/k?uploadId=1 ")).hasSize(1);
    }
  }

  static void isS3Error(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.clean()).isTrue();
    assertThat(answer.fields()).containsEntry("content-type", "application/xml");
    String id = answer.fields().get("x-amz-request-id");
    assertThat(id).matches("[0-9A-F]{16}");
    assertThat(answer.text())
        .startsWith("<?xml")
        .contains("<Code>" + code + "</Code>")
        .contains("<RequestId>" + id + "</RequestId>");
    List.of("demo-secret", "AWS4-HMAC").forEach(s -> assertThat(answer.text()).doesNotContain(s));
  }
}
