package io.penstock.sink.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ExampleIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theJavaExampleReadsAnEpoch(@TempDir Path folder) throws Exception {
    long bytes =
        SampleStream.rows(0, 5).stream().mapToLong(row -> SampleStream.payload(row).length).sum();
    Path log = folder.resolve("log");
    try (var gateway =
        ScriptedGateway.of(
            ScriptedGateway.cut(SampleStream.broken(0, 3), 5000),
            ScriptedGateway.chunked(SampleStream.complete(3, 5), 5000))) {
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "@" + HOME.resolve("jvm.flags"),
              "-cp",
              System.getProperty("java.class.path"),
              HOME.resolve("examples/java/ReadEpoch.java").toString(),
              "pictures",
              "train/");
      builder.environment().put("AWS_ENDPOINT_URL", gateway.endpoint().toString());
      builder.environment().put("AWS_ACCESS_KEY_ID", "ak");
      builder.environment().put("AWS_SECRET_ACCESS_KEY", "sk");
      Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      try {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(Files.readString(log)).endsWith("10 objects, %d bytes\n".formatted(bytes));
      assertThat(gateway.asked().getFirst().body())
          .contains("\"bucket\":\"pictures\",\"prefix\":\"train/\"");
    }
  }
}
