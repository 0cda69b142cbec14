package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient.Answer;
import io.penstock.gateway.testing.Stack;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Who is not let in, what the operator sees of it, and what nobody ever sees in a log. */
@ExtendWith(LeakWatch.class)
class RefusedIT {
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Logger access = (Logger) LoggerFactory.getLogger("access");
  private final AppenderBase<ILoggingEvent> collector =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          logged.add(event.getFormattedMessage());
        }
      };
  private Lab lab;

  @BeforeEach
  void start() throws Exception {
    collector.start();
    root.addAppender(collector);
    access.addAppender(collector);
    access.setLevel(Level.INFO);
    lab = Lab.of(FaultyStore.always(FaultyStore.ok("good")));
  }

  @AfterEach
  void stop() throws Exception {
    lab.close();
    root.detachAppender(collector);
    access.detachAppender(collector);
  }

  private void refused(RawRequest request, int status, String code) throws Exception {
    FailingOriginIT.isS3Error(lab.send(request), status, code);
    assertThat(lab.store().requests()).isEmpty();
  }

  private static Clock shifted(Duration by) {
    return Clock.offset(Clock.systemUTC(), by);
  }

  @Test
  void whoeverIsNotWhoTheySayGetsNoFurther() throws Exception {
    refused(lab.call("GET", "/b/k").sign().without("Authorization"), 403, "AccessDenied");
    refused(lab.call("GET", "/b/k").secret("wrong").sign(), 403, "SignatureDoesNotMatch");
    refused(
        lab.call("GET", "/b/k").sign().replace("GET /b/k", "GET /b/other"),
        403,
        "SignatureDoesNotMatch");
    refused(
        lab.call("GET", "/b/k").sign().replace("Credential=demo/", "Credential=stranger/"),
        403,
        "InvalidAccessKeyId");
    refused(
        lab.call("GET", "/b/k").clock(shifted(Duration.ofHours(-1))).sign(),
        403,
        "RequestTimeTooSkewed");
  }

  @Test
  void aPresignedUrlWorksUntilItExpires() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    SignedCall old = lab.call("GET", "/b/k").clock(shifted(Duration.ofMinutes(-2)));
    refused(old.presigned(minute).sign(), 403, "AccessDenied");
    refused(
        lab.call("GET", "/b/k")
            .presigned(minute)
            .sign()
            .replace("X-Amz-Expires=60", "X-Amz-Expires=6000"),
        403,
        "SignatureDoesNotMatch");
    refused(
        lab.call("PUT", "/b/k").presigned(minute).sign().with("x-amz-acl", "public-read"),
        403,
        "AccessDenied");
    Answer fresh = lab.send(lab.call("GET", "/b/k").presigned(minute).sign());
    assertThat(fresh.text()).isEqualTo("good");
    assertThat(lab.store().requests()).singleElement().asString().doesNotContain("X-Amz-Signature");
  }

  @Test
  void theAccessLogTellsWhatHappenedAndNoSecret() throws Exception {
    RawRequest presigned = lab.call("GET", "/b/k").presigned(Duration.ofMinutes(1)).sign();
    RawRequest customer =
        lab.call("GET", "/b/k")
            .field("x-amz-server-side-encryption-customer-key", "c2VjcmV0LWN1c3RvbWVyLWtleQ==")
            .sign();
    assertThat(lab.send(presigned).status()).isEqualTo(200);
    assertThat(lab.send(customer).status()).isEqualTo(200);
    Answer wrong = lab.send(lab.call("GET", "/b/k").secret("wrong-secret").sign());
    lab.probe().awaitMetric(0, "penstock_requests_in_flight");
    Probe.await("three access lines", () -> lines("\"request-id\"") == 3);
    String all = String.join("\n", logged);
    assertThat(all)
        .contains(wrong.fields().get("x-amz-request-id"), "SignatureDoesNotMatch", "/b/k?")
        .doesNotContain(Stack.SECRET_KEY, "wrong-secret", "c2VjcmV0LWN1c3RvbWVyLWtleQ")
        .doesNotContain(parameter(presigned.target(), "X-Amz-Signature"))
        .doesNotContain(parameter(customer.head(), "Signature"));
  }

  private long lines(String containing) {
    return logged.stream().filter(line -> line.contains(containing)).count();
  }

  private static String parameter(String text, String name) {
    String value = text.replaceAll("(?s).*" + name + "=([0-9a-f]{64}).*", "$1");
    assertThat(value).hasSize(64);
    return value;
  }

  @Test
  void theAdminPortTellsAboutHealthAndRefusals() throws Exception {
    Probe probe = lab.probe();
    assertThat(probe.get("/health/live").status()).isEqualTo(200);
    assertThat(probe.get("/health/ready").status()).isEqualTo(200);
    assertThat(probe.get("/runtime").text()).contains("\"phase\"", "SERVING");
    assertThat(probe.get("/nothing").status()).isEqualTo(404);
    refused(lab.call("GET", "/b/k").secret("wrong").sign(), 403, "SignatureDoesNotMatch");
    probe.awaitMetric(1, "penstock_requests_rejected_total", "SignatureDoesNotMatch");
    assertThat(probe.get("/metrics").text()).doesNotContain(Stack.SECRET_KEY);
    // the S3 port knows nothing of all that
    refused(lab.call("GET", "/health/ready").sign().without("Authorization"), 403, "AccessDenied");
  }
}
