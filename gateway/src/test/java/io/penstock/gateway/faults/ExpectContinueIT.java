package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code Expect: 100-continue}: the interim answer comes when it is needed, once, and in time. */
@ExtendWith(LeakWatch.class)
class ExpectContinueIT {
  private static final byte[] BODY = Lab.bytes(200_000);
  private static RealLab lab;

  @BeforeAll
  static void start() {
    lab = RealLab.start("");
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static RawRequest put(String key, byte[] body) {
    return lab.call("PUT", "/bkt/" + key).body(body).sign().with("Expect", "100-continue");
  }

  @Test
  void aClientThatWaitsIsToldToGoOn() throws Exception {
    RawRequest put = put("waits", BODY);
    try (RawClient client = lab.client()) {
      client.send(put.headBytes());
      assertThat(client.read().status()).isEqualTo(100);
      client.send(put.body());
      assertThat(client.read().status()).isEqualTo(200);
      // and its connection is as good as new
      client.send(lab.call("GET", "/bkt/waits").sign().bytes());
      assertThat(client.read().body()).isEqualTo(BODY);
    }
    assertThat(lab.stored("waits")).isEqualTo(BODY);
  }

  @Test
  void aClientThatDoesNotWaitIsNotConfused() throws Exception {
    try (RawClient client = lab.client()) {
      client.send(put("hasty", BODY).bytes());
      Answer first = client.read();
      assertThat(first.status() == 100 ? client.read().status() : first.status()).isEqualTo(200);
      client.send(lab.call("GET", "/bkt/hasty").sign().bytes());
      assertThat(client.read().body()).isEqualTo(BODY);
    }
    assertThat(lab.stored("hasty")).isEqualTo(BODY);
  }

  @Test
  void anEmptyBodyGetsItsInterimAnswerToo() throws Exception {
    try (RawClient client = lab.client()) {
      client.send(put("empty", new byte[0]).bytes());
      assertThat(client.read().status()).isEqualTo(100);
      assertThat(client.read().status()).isEqualTo(200);
      client.send(lab.call("HEAD", "/bkt/empty").sign().bytes());
      assertThat(client.read("HEAD").fields()).containsEntry("content-length", "0");
    }
    assertThat(lab.stored("empty")).isEmpty();
  }

  @Test
  void aRefusedUploadIsToldBeforeItsBody() throws Exception {
    RawRequest put =
        lab.call("PUT", "/bkt/refused")
            .secret("wrong")
            .body(BODY)
            .sign()
            .with("Expect", "100-continue");
    try (RawClient client = lab.client()) {
      client.send(put.headBytes());
      Answer answer = client.read();
      FailingOriginIT.isS3Error(answer, 403, "SignatureDoesNotMatch");
      // nobody knows whether the body still comes: the connection must not be used again
      assertThat(answer.fields()).containsEntry("connection", "close");
      assertThat(client.ended()).isTrue();
    }
    assertThat(lab.direct().listObjectsV2(r -> r.bucket("bkt").prefix("refused")).contents())
        .isEmpty();
  }

  @Test
  void aRefusedClientThatDoesNotWaitCanReadWhy() throws Exception {
    RawRequest put =
        lab.call("PUT", "/bkt/refused")
            .secret("wrong")
            .body(BODY)
            .sign()
            .with("Expect", "100-continue");
    try (RawClient client = lab.client()) {
      client.send(put.bytes());
      FailingOriginIT.isS3Error(client.read(), 403, "SignatureDoesNotMatch");
      assertThat(client.ended()).isTrue();
    }
  }
}
