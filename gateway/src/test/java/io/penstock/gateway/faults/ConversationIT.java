package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several requests on one connection, errors among them, and how a connection ends. */
@ExtendWith(LeakWatch.class)
class ConversationIT {
  private static final byte[] OBJECT = Lab.bytes(150_000);
  private static final int MORE_THAN_IS_DRAINED = 32 << 20;
  private static RealLab lab;

  @BeforeAll
  static void start() {
    lab = RealLab.start("limits: {max-xml-body: 64KiB, max-body: 1GiB}\n");
    lab.store("k", OBJECT);
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static RawRequest get(String key) {
    return lab.call("GET", "/bkt/" + key).sign();
  }

  @Test
  void aConnectionSurvivesErrors() throws Exception {
    try (RawClient client = lab.client()) {
      FailingOriginIT.isS3Error(
          client.send(get("k").without("Authorization").bytes()).read(), 403, "AccessDenied");
      assertThat(client.send(get("none").bytes()).read().status()).isEqualTo(404);
      RawRequest bad = lab.call("PUT", "/bkt/bad").secret("wrong").body(OBJECT).sign();
      FailingOriginIT.isS3Error(client.send(bad.bytes()).read(), 403, "SignatureDoesNotMatch");
      RawRequest changed = lab.call("PUT", "/bkt/bad").body(OBJECT).sign().body(new byte[150_000]);
      FailingOriginIT.isS3Error(
          client.send(changed.bytes()).read(), 400, "XAmzContentSHA256Mismatch");
      assertThat(client.send(get("k").bytes()).read().body()).isEqualTo(OBJECT);
    }
    assertThat(lab.direct().listObjectsV2(r -> r.bucket("bkt").prefix("bad")).contents()).isEmpty();
  }

  @Test
  void aRefusedUploadIsReadSoThatItsClientSeesWhy() throws Exception {
    byte[] body = Lab.bytes(3_000_000);
    RawRequest bad = lab.call("PUT", "/bkt/bad").secret("wrong").body(body).sign();
    try (RawClient client = lab.client()) {
      // the client sends everything before it looks
      FailingOriginIT.isS3Error(client.send(bad.bytes()).read(), 403, "SignatureDoesNotMatch");
      assertThat(client.send(get("k").bytes()).read().body()).isEqualTo(OBJECT);
    }
  }

  @Test
  void aHugeRefusedUploadIsNotReadForever() throws Exception {
    RawRequest bad =
        lab.call("PUT", "/bkt/bad")
            .secret("wrong")
            .unsignedPayload()
            .body(new byte[MORE_THAN_IS_DRAINED])
            .sign();
    try (RawClient client = lab.client()) {
      client.send(bad.headBytes());
      client.send(Arrays.copyOf(bad.body(), 1_000_000));
      Answer answer = client.read();
      FailingOriginIT.isS3Error(answer, 403, "SignatureDoesNotMatch");
      assertThat(answer.fields()).containsEntry("connection", "close");
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    byte[] other = Lab.bytes(70_000);
    RawRequest put = lab.call("PUT", "/bkt/piped").body(other).sign();
    try (RawClient client = lab.client()) {
      client.send(
          Lab.concat(
              get("k").bytes(),
              put.bytes(),
              get("piped").bytes(),
              get("none").bytes(),
              get("k").bytes()));
      assertThat(client.read().body()).isEqualTo(OBJECT);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.read().body()).isEqualTo(other);
      assertThat(client.read().status()).isEqualTo(404);
      assertThat(client.read().body()).isEqualTo(OBJECT);
    }
    assertThat(lab.stored("piped")).isEqualTo(other);
  }

  @Test
  void pipelinedUploadsAreNotMixedUp() throws Exception {
    byte[] requests = new byte[0];
    for (int i = 0; i < 12; i++) {
      requests =
          Lab.concat(
              requests,
              lab.call("PUT", "/bkt/many-" + i).body(Lab.bytes(40_000 + i)).sign().bytes());
    }
    try (RawClient client = lab.client()) {
      client.send(requests);
      for (int i = 0; i < 12; i++) {
        assertThat(client.read().status()).isEqualTo(200);
      }
    }
    for (int i = 0; i < 12; i++) {
      assertThat(lab.stored("many-" + i)).isEqualTo(Lab.bytes(40_000 + i));
    }
  }

  @Test
  void aClientThatAsksForItGetsItsConnectionClosed() throws Exception {
    try (RawClient client = lab.client()) {
      Answer answer = client.send(get("k").with("Connection", "close").bytes()).read();
      assertThat(answer.clean()).isTrue();
      assertThat(answer.body()).isEqualTo(OBJECT);
      assertThat(client.ended()).isTrue();
    }
    RawRequest put = lab.call("PUT", "/bkt/closing").body(OBJECT).sign();
    try (RawClient client = lab.client()) {
      assertThat(client.send(put.with("Connection", "close").bytes()).read().status())
          .isEqualTo(200);
      assertThat(client.ended()).isTrue();
    }
    assertThat(lab.stored("closing")).isEqualTo(OBJECT);
  }

  @Test
  void anOldClientIsAnsweredInItsOwnWay() throws Exception {
    try (RawClient client = lab.client()) {
      Answer answer = client.send(get("k").replace("HTTP/1.1", "HTTP/1.0").bytes()).read();
      assertThat(answer.body()).isEqualTo(OBJECT);
      assertThat(answer.fields())
          .containsEntry("content-length", "150000")
          .doesNotContainKey("transfer-encoding");
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void anOldClientIsNeverSentChunks() throws Exception {
    try (RawClient client = lab.client()) {
      RawRequest list = lab.call("GET", "/bkt?list-type=2").sign().replace("HTTP/1.1", "HTTP/1.0");
      Answer answer = client.send(list.bytes()).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.fields()).doesNotContainKey("transfer-encoding");
      assertThat(answer.text()).startsWith("<?xml").endsWith("</ListBucketResult>");
    }
  }

  @Test
  void aBodyWithoutALengthIsMeasuredWhileItIsSmall() throws Exception {
    byte[] body = Lab.bytes(50_000);
    try (RawClient client = lab.client()) {
      client.send(chunked("small", body).bytes());
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.send(get("small").bytes()).read().body()).isEqualTo(body);
    }
    assertThat(lab.stored("small")).isEqualTo(body);
  }

  @Test
  void aLargeBodyWithoutALengthIsRefused() throws Exception {
    try (RawClient client = lab.client()) {
      client.send(chunked("large", Lab.bytes(200_000)).bytes());
      Answer answer = client.read();
      FailingOriginIT.isS3Error(answer, answer.status(), "EntityTooLarge");
      assertThat(answer.status()).isEqualTo(400);
    }
    assertThat(lab.direct().listObjectsV2(r -> r.bucket("bkt").prefix("large")).contents())
        .isEmpty();
  }

  /** In HTTP's own chunks of 10,000 bytes. */
  private static RawRequest chunked(String key, byte[] body) {
    byte[] framed = new byte[0];
    for (int i = 0; i < body.length; i += 10_000) {
      byte[] piece = Arrays.copyOfRange(body, i, i + 10_000);
      framed = Lab.concat(framed, "2710\r\n".getBytes(), piece, "\r\n".getBytes());
    }
    RawRequest unframed =
        new SignedCall(lab.stack().s3(), "PUT", "/bkt/" + key).unsignedPayload().sign();
    return unframed
        .without("Content-Length")
        .with("Transfer-Encoding", "chunked")
        .body(Lab.concat(framed, "0\r\n\r\n".getBytes()));
  }

  @Test
  void theAnswerToAHeadHasALengthAndNoBody() throws Exception {
    try (RawClient client = lab.client()) {
      Answer head = client.send(lab.call("HEAD", "/bkt/k").sign().bytes()).read("HEAD");
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.fields())
          .containsEntry("content-length", "150000")
          .doesNotContainKey("transfer-encoding");
      Answer none = client.send(lab.call("HEAD", "/bkt/none").sign().bytes()).read("HEAD");
      assertThat(none.status()).isEqualTo(404);
      RawRequest refused = lab.call("HEAD", "/bkt/k").secret("wrong").sign();
      Answer no = client.send(refused.bytes()).read("HEAD");
      assertThat(no.status()).isEqualTo(403);
      assertThat(no.fields()).containsKeys("content-length", "x-amz-request-id");
      // were there a body, this answer would begin with it
      assertThat(client.send(get("k").bytes()).read().body()).isEqualTo(OBJECT);
    }
  }

  @Test
  void conditionsAndRangesAreThoseOfTheStore() throws Exception {
    String etag = lab.direct().headObject(r -> r.bucket("bkt").key("k")).eTag();
    try (RawClient client = lab.client()) {
      Answer same = client.send(with(Map.of("If-None-Match", etag))).read();
      assertThat(same.status()).isEqualTo(304);
      Answer other = client.send(with(Map.of("If-Match", "\"other\""))).read();
      assertThat(other.status()).isEqualTo(412);
      Answer part = client.send(with(Map.of("Range", "bytes=100-199"))).read();
      assertThat(part.status()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(Arrays.copyOfRange(OBJECT, 100, 200));
      assertThat(part.fields())
          .containsEntry("content-range", "bytes 100-199/150000")
          .containsEntry("content-length", "100");
      assertThat(part.fields().keySet()).noneMatch(name -> name.startsWith("x-amz-checksum-"));
      Answer tail = client.send(with(Map.of("Range", "bytes=-10"))).read();
      assertThat(tail.body()).isEqualTo(Arrays.copyOfRange(OBJECT, 149_990, 150_000));
      assertThat(client.send(with(Map.of("Range", "bytes=150000-"))).read().status())
          .isEqualTo(416);
      assertThat(client.send(get("k").bytes()).read().body()).isEqualTo(OBJECT);
    }
  }

  private static byte[] with(Map<String, String> fields) {
    SignedCall call = lab.call("GET", "/bkt/k");
    fields.forEach(call::field);
    return call.sign().bytes();
  }
}
