package io.penstock.dpu.transform.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** ONNX Runtime 1.29 ended the process when its command line was longer than 4 KB. */
class LongCommandLineTest {

  /** What the process under test does. */
  public static void main(String[] args) {
    System.exit(Compute.environment().getVersion().isEmpty() ? 1 : 0);
  }

  @Test
  void startsUnderALongCommandLine() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dlong=" + "x".repeat(50_000),
                "-cp",
                System.getProperty("java.class.path"),
                LongCommandLineTest.class.getName())
            .inheritIO()
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
