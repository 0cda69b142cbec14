package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is no HTTP, or could be read in two ways: answered as S3 XML with a request id where an
 * answer is possible, the connection closed, and nothing of it ever at the store.
 */
@ExtendWith(LeakWatch.class)
class BadHttpIT {
  private static final String REST = " HTTP/1.1\r\nHost: h\r\n";
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab =
        Lab.configured(
            "pool: {}",
            "limits: {max-request-line: 4KiB, max-headers: 8KiB}\n",
            FaultyStore.always(FaultyStore.ok("")));
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void nothingCameThrough() {
    assertThat(lab.store().requests()).isEmpty();
  }

  static Stream<Arguments> heads() {
    return Stream.of(
        Arguments.of("BadRequest", "THIS IS NO HTTP AT ALL\r\n\r\n"),
        Arguments.of("BadRequest", "GET /b/k HTTP/9.x\r\nHost: h\r\n\r\n"),
        Arguments.of("InvalidURI", "GET /b/" + "k".repeat(5000) + REST + "\r\n"),
        Arguments.of(
            "RequestHeaderSectionTooLarge",
            "GET /b/k" + REST + "x: " + "y".repeat(9000) + "\r\n\r\n"),
        Arguments.of(
            "BadRequest",
            "PUT /b/k" + REST + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Arguments.of(
            "BadRequest", "PUT /b/k" + REST + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        Arguments.of("BadRequest", "PUT /b/k" + REST + "Content-Length: -3\r\n\r\nabc"),
        Arguments.of("BadRequest", "PUT /b/k" + REST + "Content-Length: abc\r\n\r\nabc"),
        Arguments.of(
            "BadRequest", "PUT /b/k" + REST + "Content-Length: 99999999999999999999\r\n\r\n"),
        Arguments.of("BadRequest", "GET /b/k" + REST + "bad name: x\r\n\r\n"),
        Arguments.of("BadRequest", "GET /b/k" + REST + "name : x\r\n\r\n"));
  }

  @ParameterizedTest
  @MethodSource("heads")
  void aHeadThatCannotBeReadIsAnsweredInXml(String code, String head) throws Exception {
    try (RawClient client = lab.client()) {
      Answer answer = client.send(head).read();
      FailingOriginIT.isS3Error(answer, 400, code);
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void aRequestBehindAnAmbiguousOneIsNeverServed() throws Exception {
    String smuggled = lab.call("DELETE", "/b/victim").sign().head() + "\r\n";
    String both =
        "POST /b/k" + REST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    try (RawClient client = lab.client()) {
      FailingOriginIT.isS3Error(client.send(both + smuggled).read(), 400, "BadRequest");
      assertThat(client.ended()).isTrue();
    }
  }

  /** A proxy in front may see another end of the body than the gateway. */
  @ParameterizedTest
  @MethodSource("brokenChunks")
  void brokenChunksStoreNothing(String body) throws Exception {
    RawRequest put =
        lab.call("PUT", "/b/k")
            .unsignedPayload()
            .sign()
            .without("Content-Length")
            .with("Transfer-Encoding", "chunked");
    try (RawClient client = lab.client()) {
      Answer answer = client.send(put.body(body.getBytes()).bytes()).read();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains("<RequestId>");
      assertThat(client.ended()).isTrue();
    }
    lab.probe().awaitMetric(0, "penstock_requests_in_flight");
  }

  static Stream<String> brokenChunks() {
    return Stream.of(
        "xyz\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhelloXX0\r\n\r\n",
        "fffffffffffffffff\r\nhello\r\n0\r\n\r\n");
  }

  @Test
  void chunksThatEndWithTheConnectionStoreNothing() throws Exception {
    RawRequest put =
        lab.call("PUT", "/b/k")
            .unsignedPayload()
            .sign()
            .without("Content-Length")
            .with("Transfer-Encoding", "chunked");
    try (RawClient client = lab.client()) {
      client.send(put.body("5\r\nhel".getBytes()).bytes());
    }
    lab.probe().awaitMetric(0, "penstock_requests_in_flight");
  }
}
