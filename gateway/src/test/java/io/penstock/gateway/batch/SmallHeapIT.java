package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.GatewayProcess;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Many small objects through a process that may have hardly any memory. */
class SmallHeapIT {
  private static final int OBJECTS = 20_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  @Timeout(300)
  void twentyThousandObjectsInNinetySixMegabytes() throws Exception {
    try (FloodStore store = new FloodStore();
        GatewayProcess gateway =
            GatewayProcess.start(
                directory,
                store.endpoint(),
                "-Xmx96m",
                "-XX:MaxDirectMemorySize=64m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError");
        BatchClient client = new BatchClient(gateway.s3())) {
      String items =
          IntStream.range(0, OBJECTS)
              .mapToObj(i -> "\"" + (i % 2000) + "\"")
              .collect(Collectors.joining(","));
      for (String order : new String[] {"strict", "as-ready"}) {
        var stream =
            client.batch(
                "/-/batch",
                "{\"version\": 1, \"bucket\": \"flood\", \"items\": [%s], \"order\": \"%s\"}"
                    .formatted(items, order));
        assertThat(stream.error()).isEmpty();
        assertThat(stream.rows()).hasSize(OBJECTS);
        for (var row : stream.rows()) {
          assertThat(row.payload().orElseThrow()).hasSize((int) (row.head().index() % 2000));
        }
      }
      while (gateway.metric("penstock_memory_reserved_bytes", "batches") > 0) {
        Thread.sleep(50);
      }
      assertThat(gateway.log()).doesNotContain("OutOfMemory").doesNotContain("LEAK");
      assertThat(gateway.terminate()).isZero();
    }
  }
}
