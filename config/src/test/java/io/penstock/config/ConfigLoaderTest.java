package io.penstock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigLoaderTest {
  private static final Map<String, String> STORE =
      Map.of("STORE_ACCESS_KEY", "AK", "STORE_SECRET_KEY", "SK");

  @Test
  void theMinimalExampleLoadsAndTheRestHasSafeDefaults() {
    GatewayConfig config =
        loaded(new ConfigLoader(STORE).load(Path.of("../examples/minimal.yaml")));

    assertThat(config.listen().s3().port()).isEqualTo(9000);
    assertThat(config.listen().s3().tls()).isEmpty();
    assertThat(config.listen().s3().http2()).isTrue();
    assertThat(config.listen().s3().idleTimeout()).isEqualTo(Duration.ofSeconds(75));
    assertThat(config.listen().admin())
        .isEqualTo(new ListenConfig.AdminListener("127.0.0.1", 9001));
    UpstreamConfig upstream = config.upstream();
    assertThat(upstream.endpoints()).containsExactly(URI.create("http://127.0.0.1:8333"));
    assertThat(upstream.addressing()).isEqualTo(UpstreamConfig.Addressing.PATH);
    assertThat(upstream.accessKey()).isEqualTo("AK");
    assertThat(upstream.secretKey().reveal()).isEqualTo("SK");
    assertThat(upstream.sessionToken()).isEmpty();
    assertThat(upstream.tls()).isEqualTo(new UpstreamConfig.TlsConfig(Optional.empty(), true));
    assertThat(upstream.pool().idleTimeout()).isEqualTo(Duration.ofSeconds(15));
    assertThat(upstream.retry())
        .isEqualTo(new UpstreamConfig.RetryConfig(3, Duration.ofMillis(50), Duration.ofSeconds(2)));
    assertThat(config.tenants())
        .containsExactly(
            new TenantConfig("demo", "demo", new Secret("demo-secret"), false, Optional.empty()));
    assertThat(config.limits().maxBody()).isEqualTo(new ByteSize(5L << 30));
    assertThat(config.limits().maxRequestLine()).isEqualTo(new ByteSize(32 << 10));
    assertThat(config.runtime().transport()).isEqualTo(RuntimeConfig.Transport.AUTO);
    assertThat(config.runtime().memoryBudget()).isEmpty();
  }

  static GatewayConfig loaded(ConfigResult result) {
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    return ((ConfigResult.Loaded) result).config();
  }

  static List<Problem> problems(ConfigResult result) {
    assertThat(result).isInstanceOf(ConfigResult.Invalid.class);
    return ((ConfigResult.Invalid) result).problems();
  }

  @Test
  void fiveDifferentMistakesAreFiveProblemsWithTheirLines() {
    String yaml =
        """
        listen:
          s3: {host: 127.0.0.1, port: 90000}
          admn: {host: 127.0.0.1, port: 9001}
        upstream:
          endpoints: [s3://store/bucket]
          access-key: ${NOT_THERE}
          secret-key: abc
        tenants:
          - {name: demo, access-key: demo, secret-key: x}
          - {name: demo, access-key: other, secret-key: x}
        """;

    List<Problem> problems = problems(new ConfigLoader(Map.of()).parse(yaml, Path.of(".")));

    assertThat(problems)
        .extracting(p -> p.describe(Path.of("gateway.yaml")))
        .containsExactly(
            "gateway.yaml:2: listen.s3.port: must be a whole number from 0 to 65535",
            "gateway.yaml:3: listen.admn: is not a key of this section; did you mean admin?",
            "gateway.yaml:5: upstream.endpoints[0]: must be a URL of the form http://HOST:PORT or"
                + " https://HOST:PORT, without path, query or user; it does not start with http://"
                + " or https://",
            "gateway.yaml:6: upstream.access-key: environment variable NOT_THERE is not set; set"
                + " it, or write ${NOT_THERE:default}",
            "gateway.yaml:10: tenants[1].name: is the same as tenants[0].name on line 9");
  }
}
