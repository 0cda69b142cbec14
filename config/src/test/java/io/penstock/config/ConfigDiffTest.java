package io.penstock.config;

import static io.penstock.config.Samples.CERTIFICATE;
import static io.penstock.config.Samples.PRIVATE_KEY;
import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static io.penstock.config.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigDiffTest {
  @TempDir Path directory;

  private static ConfigDiff diff(String before, String after) {
    return ConfigDiff.between(loaded(parse(before)), loaded(parse(after)));
  }

  private static void reloads(String after, String... paths) {
    assertThat(diff(VALID, after)).isInstanceOf(ConfigDiff.Reloadable.class);
    assertThat(diff(VALID, after).paths()).containsExactly(paths);
  }

  private static void restarts(String after, String... paths) {
    assertThat(diff(VALID, after)).isInstanceOf(ConfigDiff.RestartRequired.class);
    assertThat(diff(VALID, after).paths()).containsExactly(paths);
  }

  @Test
  void nothingDiffers() {
    reloads(VALID);
    reloads("# a comment\n" + VALID + "limits: {max-body: 5GiB}\n");
  }

  @Test
  void tenantsLimitsAndCredentialsReload() {
    reloads(VALID.replace("demo-secret", "new"), "tenants[0].secret-key");
    reloads(VALID + "  - {name: b, access-key: b, secret-key: b}\n", "tenants");
    reloads(VALID.replace("store-secret", "new"), "upstream.secret-key");
    reloads(
        VALID.replace("store-secret", "store-secret\n  session-token: t"),
        "upstream.session-token");
    reloads(VALID + "limits: {max-in-flight: 5}\n", "limits.max-in-flight");
    reloads(
        VALID.replace(
            "demo-secret}", "demo-secret, policy: {rules: [{bucket: a, access: [read]}]}}"),
        "tenants[0].policy");
  }

  @Test
  void portsAndEndpointsNeedARestartAndAreNamedAlone() {
    restarts(VALID.replaceFirst("port: 0", "port: 9999"), "listen.s3.port");
    restarts(VALID.replace("8333]", "8334]").replace("demo-secret", "new"), "upstream.endpoints");
    restarts(VALID + "runtime: {event-loops: 2}\n", "runtime.event-loops");
  }

  @Test
  void insideAPolicy() {
    String policy =
        VALID.replace(
            "demo-secret}",
            "demo-secret, policy: {rules: [{bucket: a, access: [read]}, {bucket: b, access:"
                + " [read]}]}}");
    ConfigDiff diff =
        diff(policy, policy.replace("bucket: b, access: [read]", "bucket: b, access: [write]"));
    assertThat(diff)
        .isEqualTo(
            new ConfigDiff.Reloadable(java.util.List.of("tenants[0].policy.rules[1].access")));
  }

  @Test
  void aFileWithNewContentCountsAsAChangeOfItsKey() {
    Path certificate = write(directory.resolve("tls.crt"), CERTIFICATE);
    write(directory.resolve("tls.key"), PRIVATE_KEY);
    String yaml =
        VALID.replace(
            "port: 0}\n  admin", "port: 0, tls: {certificate: tls.crt, key: tls.key}}\n  admin");
    GatewayConfig config = loaded(new ConfigLoader(Map.of()).parse(yaml, directory));
    ConfigDiff diff = ConfigDiff.between(config, config, Set.of(certificate));
    assertThat(diff)
        .isEqualTo(new ConfigDiff.Reloadable(java.util.List.of("listen.s3.tls.certificate")));
    ConfigChange change = new ConfigChange(config, config, diff.paths());
    assertThat(change.touches("listen.s3.tls")).isTrue();
    assertThat(change.touches("listen.s3.tls.certificate")).isTrue();
    assertThat(change.touches("listen.s3.tl")).isFalse();
    assertThat(change.touches("tenants")).isFalse();
  }
}
