package io.penstock.config;

import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static io.penstock.config.Samples.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  @TempDir Path directory;

  private ConfigResult load(String yaml) {
    return new ConfigLoader(Map.of()).load(Samples.write(directory.resolve("gateway.yaml"), yaml));
  }

  @Test
  void theMinimalExampleLoadsAndTheRestHasSafeDefaults() {
    var store = Map.of("STORE_ACCESS_KEY", "AK", "STORE_SECRET_KEY", "SK");
    GatewayConfig config =
        loaded(new ConfigLoader(store).load(Path.of("../examples/minimal.yaml")));

    ListenConfig.S3Listener s3 = config.listen().s3();
    assertThat(s3.host()).isEqualTo("127.0.0.1");
    assertThat(s3.port()).isEqualTo(9000);
    assertThat(s3.tls()).isEmpty();
    assertThat(s3.http2()).isTrue();
    assertThat(s3.idleTimeout()).isEqualTo(Duration.ofSeconds(75));
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

    assertThat(lines(parse(yaml)))
        .containsExactly(
            "2: listen.s3.port: must be a whole number from 0 to 65535",
            "3: listen.admn: is not a key of this section; did you mean admin?",
            "5: upstream.endpoints[0]: must be a URL of the form http://HOST:PORT or"
                + " https://HOST:PORT, without path, query or user; it does not start with http://"
                + " or https://",
            "6: upstream.access-key: environment variable NOT_THERE is not set; set it, or write"
                + " ${NOT_THERE:default}",
            "10: tenants[1].name: is the same as tenants[0].name on line 9");
  }

  @Test
  void aSyntaxErrorHidesNoOtherMistakeAboveOrBelow() {
    String yaml =
        """
        listen:
          s3: {host: 127.0.0.1, port: http}
          admin: {host: 127.0.0.1, port: 9001
        upstream:
          endpoints: []
          \tregion: us-east-1
          access-key: store
          secret-key: "store
        tenants:
          - {name: demo, access-key: demo}
        """;

    assertThat(lines(parse(yaml)))
        .containsExactly(
            "2: listen.s3.port: must be a whole number",
            "3: '{' without its '}'; close it on this line",
            "5: upstream.endpoints: must hold at least 1 item",
            "6: a tab cannot be used here; indent with spaces",
            "8: a quote is opened here and never closed",
            "10: tenants[0].secret-key: is missing; write secret-key or secret-key-file, or"
                + " anonymous: true");
  }

  @Test
  void problemsHaveColumns() {
    assertThat(problems(parse(VALID.replace("port: 0}", "port: -1}"))))
        .extracting(Problem::path, Problem::line, Problem::column)
        .containsExactly(tuple("listen.s3.port", 2, 31), tuple("listen.admin.port", 3, 34));
  }

  @Test
  void theSecretsNeverShow() {
    GatewayConfig config = loaded(parse(VALID));
    assertThat(config.toString()).doesNotContain("store-secret", "demo-secret").contains("***");
  }

  @Test
  void filesThatAreNoConfiguration() throws IOException {
    assertThat(lines(load("")))
        .containsExactly("1: the file is empty; start from examples/minimal.yaml");
    assertThat(lines(load("# nothing\n---\n")))
        .containsExactly(
            "2: upstream: is missing; it needs endpoints, access-key, secret-key",
            "2: tenants: is missing; write tenants");
    assertThat(lines(load("- a\n- b\n")))
        .containsExactly("1: must be a section of 'key: value' lines");
    assertThat(lines(load("just words\n")))
        .containsExactly("1: must be a section of 'key: value' lines");
    assertThat(lines(new ConfigLoader(Map.of()).load(directory.resolve("nope.yaml"))))
        .containsExactly("1: there is no such file");
    assertThat(lines(new ConfigLoader(Map.of()).load(directory)))
        .containsExactly("1: this is a directory; name a file");
    Path latin =
        Files.write(directory.resolve("latin"), new byte[] {'a', ':', '\n', 'b', (byte) 0xE9});
    assertThat(lines(new ConfigLoader(Map.of()).load(latin)))
        .containsExactly("2: this line is not UTF-8; save the file as UTF-8");
    Path big = Files.write(directory.resolve("big"), new byte[10 << 20]);
    assertThat(lines(new ConfigLoader(Map.of()).load(big)))
        .containsExactly("1: the file is larger than 4MiB; is it the right one?");
  }

  @Test
  void aByteOrderMarkAndWindowsLineEndsAreFine() throws IOException {
    loaded(load("\uFEFF" + VALID.replace("\n", "\r\n")));
    assertThat(lines(load(VALID.replace("port: 0}", "port: x}").replace("\n", "\r\n"))))
        .containsExactly(
            "2: listen.s3.port: must be a whole number",
            "3: listen.admin.port: must be a whole number");
  }

  @Test
  void anAnchorIsReadWhereItIsUsed() {
    String yaml =
        """
        listen:
          s3: &any {host: 127.0.0.1, port: 0}
          admin: *any
        upstream: {endpoints: [http://a:1], access-key: &key store, secret-key: *key}
        tenants:
          - {name: demo, access-key: *key, secret-key: *nothing}
        """;
    assertThat(lines(parse(yaml)))
        .containsExactly("6: this alias (*name) names nothing that is complete above it");
    GatewayConfig config = loaded(parse(yaml.replace("*nothing", "*key")));
    assertThat(config.listen().admin().host()).isEqualTo("127.0.0.1");
    assertThat(config.upstream().secretKey()).isEqualTo(new Secret("store"));
  }

  @Test
  void aSmallFileCannotBecomeALargeTree() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String all = String.join(", ", Collections.nCopies(9, "*a" + (i - 1)));
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, all));
    }
    assertThat(lines(parse(bomb.toString())))
        .contains("5: aliases repeat more than 10000 values; write them out");
    assertThat(lines(parse("listen: " + "[".repeat(100_000))))
        .contains("1: nested deeper than 32 levels");
  }

  @Test
  void noMoreThanAThousandProblemsAreListed() {
    String yaml = VALID + "  - {}\n".repeat(2_000);
    List<Problem> problems = problems(parse(yaml));
    assertThat(problems).hasSize(1_001);
    assertThat(problems.getLast().message()).contains("more than 1000 problems");
  }
}
