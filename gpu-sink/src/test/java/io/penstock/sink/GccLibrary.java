package io.penstock.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Libraries that the tests build from C. */
public final class GccLibrary {
  private GccLibrary() {}

  /**
   * Builds a file of {@code src/test/c}, known to the linker by the library's name. Without gcc the
   * test is aborted on a laptop, and fails in CI.
   *
   * @param name of the library
   * @return where it is, until this process ends
   */
  public static Path build(String source, String name) {
    try {
      Path folder = Files.createTempDirectory("penstock-gcc");
      Path library = folder.resolve(name);
      folder.toFile().deleteOnExit();
      library.toFile().deleteOnExit();
      Path file = Path.of(System.getProperty("basedir", "."), "src/test/c", source);
      Process gcc =
          new ProcessBuilder(
                  gcc().toString(),
                  "-shared",
                  "-fPIC",
                  "-O1",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-Wl,-soname," + name,
                  "-o",
                  library.toString(),
                  file.toString(),
                  "-lpthread")
              .redirectErrorStream(true)
              .start();
      String words = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!gcc.waitFor(60, TimeUnit.SECONDS) || gcc.exitValue() != 0) {
        throw new AssertionError("gcc does not build " + file + ": " + words);
      }
      return library;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Goes on only if there is a compiler; call it before a class that needs one is initialised. */
  public static void needed() {
    assertThat(gcc()).isExecutable();
  }

  private static Path gcc() {
    Optional<Path> gcc =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, "gcc"))
            .filter(Files::isExecutable)
            .findFirst();
    if (gcc.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("missing in CI: gcc: apt-get install gcc");
    }
    assumeTrue(gcc.isPresent(), "gcc is not installed: apt-get install gcc");
    return gcc.orElseThrow();
  }
}
