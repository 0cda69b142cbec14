package io.penstock.gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.GatewayProcess;
import io.penstock.gateway.testing.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java that k8s/Dockerfile links together has every module that a serving gateway needs. */
class ImageIT {
  private static final Pattern MODULES = Pattern.compile("(?m)^ARG JAVA_MODULES=(\\S+)$");

  @Test
  void theModulesOfTheImageAreEnough(@TempDir Path folder) throws Exception {
    String recipe = Files.readString(Path.of("..", "k8s", "Dockerfile"));
    Matcher modules = MODULES.matcher(recipe);
    assertThat(modules.find()).isTrue();
    try (FloodStore store = new FloodStore();
        GatewayProcess gateway =
            GatewayProcess.start(
                folder, store.endpoint(), "--limit-modules=" + modules.group(1), "-Xmx256m")) {
      try (var s3 = Stack.client(gateway.s3(), Stack.ACCESS_KEY, Stack.SECRET_KEY)) {
        assertThat(s3.getObjectAsBytes(r -> r.bucket("b").key("100000")).asByteArray())
            .hasSize(100_000);
      }
      assertThat(gateway.metric("penstock_requests_in_flight", "")).isNotNaN();
      assertThat(gateway.terminate()).isZero();
      assertThat(gateway.log()).doesNotContain("NoClassDefFoundError", "ModuleNotFound");
    }
  }
}
