package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.Stack;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The clients over TLS, with a certificate of an authority that only they were told of. Over TLS
 * most of them send their bodies unsigned, in chunks with a trailer, which is a different request
 * from the one they send in the clear.
 */
class TlsIT {
  @TempDir private static Path folder;
  private static Stand stand;
  private static Stack stack;
  private static Endpoint gateway;

  @BeforeAll
  static void start() {
    stand = Stand.of(StoreUnderTest.Kind.RADOSGW);
    Certificates certificates = Certificates.write(folder, "localhost");
    stack =
        stand.inFront(
            "listen: {s3: {port: 0, tls: %s}, admin: {port: 0}}\n".formatted(certificates.yaml()));
    gateway =
        new Endpoint(
            stack.s3(),
            Stack.ACCESS_KEY,
            Stack.SECRET_KEY,
            "us-east-1",
            Optional.of(certificates.authority()));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CURL_HTTP2")
  void worksOverTls(Judge judge) {
    assertThat(gateway.uri()).hasScheme("https");
    try (Bench bench = new Bench(judge, "tls-" + judge.label(), gateway, stand.reader())) {
      Step.ROUND_TRIP.check(bench, OddKey.PLUS_AND_SPACE);
      Step.COPY.check(bench, OddKey.UNICODE);
      Step.LIST.check(bench, OddKey.PLAIN);
      Step.DELETE_MANY.check(bench, OddKey.EMOJI);
      Step.PARTS.check(bench, OddKey.PLUS_AND_SPACE);
      Step.RANGE.check(bench, OddKey.PLUS_AND_SPACE);
    }
  }

  @Test
  void curlSpeaksHttp2() {
    try (Bench bench = new Bench(Judge.CURL_HTTP2, "tls-http2", gateway, stand.reader())) {
      for (Step step : Step.values()) {
        step.check(bench, OddKey.PLUS_AND_SPACE);
      }
      for (OddKey key : OddKey.values()) {
        Step.ROUND_TRIP.check(bench, key);
      }
    }
  }
}
