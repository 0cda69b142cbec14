package io.penstock.gateway.faults;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody else's idea of a failing store. */
@ExtendWith(LeakWatch.class)
class WireMockIT {
  private static final byte[] OBJECT = Lab.bytes(100_000);
  private final WireMockServer store =
      new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
  private Lab lab;

  @BeforeEach
  void start() throws Exception {
    store.start();
    lab = Lab.elsewhere("endpoints: ['" + store.baseUrl() + "'], " + Lab.QUICK);
  }

  @AfterEach
  void stop() throws Exception {
    lab.close();
    store.stop();
  }

  private void answers(ResponseDefinitionBuilder response) {
    store.stubFor(any(anyUrl()).willReturn(response));
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsNeverTakenForAnAnswer(Fault fault) throws Exception {
    answers(aResponse().withFault(fault));
    if (fault == Fault.MALFORMED_RESPONSE_CHUNK) {
      // its head is sound, so only what follows can be taken back
      assertThat(isWhole(lab.call("GET", "/b/k").sign())).isFalse();
      store.verify(1, getRequestedFor(urlEqualTo("/b/k")));
    } else {
      Answer answer = lab.get("/b/k");
      FailingOriginIT.isS3Error(answer, 503, "ServiceUnavailable");
      assertThat(answer.fields()).containsKey("retry-after");
      store.verify(3, getRequestedFor(urlEqualTo("/b/k")));
    }
    assertThat(isWhole(lab.call("PUT", "/b/k").body(OBJECT).sign())).isFalse();
    store.verify(1, putRequestedFor(urlEqualTo("/b/k")));
  }

  /** Whether a client would take the answer for a good and complete one. */
  private boolean isWhole(RawRequest request) {
    try {
      Answer answer = lab.send(request);
      return answer.clean() && answer.status() == 200;
    } catch (IOException reset) {
      return false;
    }
  }

  @Test
  void aFaultThatPassesIsNotSeen() throws Exception {
    store.stubFor(
        any(anyUrl())
            .inScenario("recovery")
            .whenScenarioStateIs(Scenario.STARTED)
            .willSetStateTo("well")
            .willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
    store.stubFor(
        any(anyUrl())
            .inScenario("recovery")
            .whenScenarioStateIs("well")
            .willReturn(aResponse().withBody(OBJECT)));
    assertThat(lab.get("/b/k").body()).isEqualTo(OBJECT);
    store.verify(2, getRequestedFor(urlEqualTo("/b/k")));
  }

  @Test
  void aStoreThatDribblesIsWaitedFor() throws Exception {
    // longer in all than the response timeout, but never silent for that long
    answers(aResponse().withBody(OBJECT).withChunkedDribbleDelay(10, 1_000));
    Answer answer = lab.get("/b/k");
    assertThat(answer.clean()).isTrue();
    assertThat(answer.body()).isEqualTo(OBJECT);
    store.verify(1, getRequestedFor(urlEqualTo("/b/k")));
  }

  @Test
  void aStoreThatThinksTooLongIsGivenUp() throws Exception {
    answers(aResponse().withBody(OBJECT).withFixedDelay(60_000));
    FailingOriginIT.isS3Error(lab.get("/b/k"), 503, "ServiceUnavailable");
    lab.probe().awaitMetric(0, "penstock_upstream_connections");
  }
}
