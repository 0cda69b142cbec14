package io.penstock.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.GatewayConfig;
import io.penstock.config.LogConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration in the rendered ConfigMap passes the check that the gateway makes at its start,
 * with the secrets where the rendered pod mounts them.
 */
class RenderedConfigTest {
  // the loader looks at the frame only; no key is needed
  private static final String KEY =
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

  @TempDir private Path pod;

  @Test
  void thePlainOne() throws IOException {
    GatewayConfig config = check("plain.yaml");
    assertThat(config.upstream().endpoints()).hasSize(2);
    assertThat(config.upstream().accessKey()).isEqualTo("access-key-of-store");
    assertThat(config.tenants().getFirst().accessKey()).isEqualTo("access-key-of-tenants-training");
    assertThat(config.tenants().getFirst().policy()).isPresent();
    assertThat(config.listen().s3().host()).isEqualTo("0.0.0.0");
  }

  @Test
  void theOneWithEverything() throws IOException {
    GatewayConfig config = check("everything.yaml");
    assertThat(config.listen().s3().tls().orElseThrow().clientCa()).isPresent();
    assertThat(config.upstream().sessionToken()).isPresent();
    assertThat(config.tenants()).hasSize(2);
    assertThat(config.limits().maxInFlight()).isEqualTo(512);
    assertThat(config.limits().drainTimeout()).hasSeconds(30);
    assertThat(config.cache().disk()).isPresent();
    assertThat(config.log().access()).isEqualTo(LogConfig.Access.ERRORS);
  }

  /** Loads what is rendered, with {@code /etc/penstock} of the pod below a folder of this test. */
  private GatewayConfig check(String values) throws IOException {
    List<Manifest> all = Chart.manifests(List.of(Chart.values(values)));
    Manifest workload = Manifest.one(all, "Deployment");
    for (Object mount : workload.list("spec.template.spec.containers.0.volumeMounts")) {
      mount(String.valueOf(((Map<?, ?>) mount).get("mountPath")));
    }
    String yaml = Manifest.named(all, "ConfigMap", "gw-penstock").file("gateway.yaml");
    Path file = pod.resolve("gateway.yaml");
    Files.writeString(file, yaml.replace("/etc/penstock/", pod + "/etc/penstock/"));
    return switch (new ConfigLoader(Map.of()).load(file)) {
      case ConfigResult.Loaded loaded -> loaded.config();
      case ConfigResult.Invalid invalid ->
          throw new AssertionError(invalid.problems() + "\n" + yaml);
    };
  }

  private void mount(String path) throws IOException {
    if (!path.startsWith("/etc/penstock/")) {
      return;
    }
    Path folder = Files.createDirectories(Path.of(pod + path));
    String what = path.substring("/etc/penstock/".length()).replace('/', '-');
    Path certificate = Path.of("src", "test", "resources", "tls.crt");
    switch (what) {
      case "tls" -> {
        Files.copy(certificate, folder.resolve("tls.crt"));
        Files.writeString(folder.resolve("tls.key"), KEY);
      }
      case "client-ca", "store-ca" -> Files.copy(certificate, folder.resolve("ca.crt"));
      default -> {
        for (String key : List.of("access-key", "secret-key", "session-token")) {
          Files.writeString(folder.resolve(key), key + "-of-" + what);
        }
      }
    }
  }
}
