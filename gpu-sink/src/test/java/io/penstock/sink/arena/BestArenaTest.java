package io.penstock.sink.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.penstock.sink.arena.cuda.CudaSources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine without a GPU is told. */
class BestArenaTest {
  @TempDir Path folder;

  @BeforeEach
  void noDevice() {
    assumeFalse(
        Files.exists(Path.of("/dev/nvidiactl")) || Files.exists(Path.of("/dev/dxg")),
        "this machine has a GPU: see gpu-check.sh");
  }

  @Test
  void withoutADriverSharedMemoryIsTheBest() {
    ArenaProvider.Choice choice = CudaSources.provider(0, folder, "best").best(4096);
    try (Arena arena = choice.arena()) {
      assertThat(arena.kind()).isEqualTo(ArenaKind.SHARED);
      assertThat(choice.attempts())
          .extracting(ArenaProvider.Attempt::kind)
          .containsExactly(ArenaKind.CUDA, ArenaKind.PINNED, ArenaKind.SHARED);
      assertThat(choice.report()).startsWith("shared; pinned: no CUDA driver");
    }
  }

  @Test
  void theScriptSaysThatNothingWasChecked() throws Exception {
    Path script = Path.of(System.getProperty("basedir", "."), "gpu-check.sh").toAbsolutePath();
    Process check = new ProcessBuilder(script.toString()).redirectErrorStream(true).start();
    String words = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(check.exitValue()).as(words).isEqualTo(3);
    assertThat(words).contains("no GPU here").contains("nothing was checked");
  }
}
