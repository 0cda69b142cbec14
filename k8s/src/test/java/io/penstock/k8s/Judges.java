package io.penstock.k8s;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Programs of others that judge what the chart renders. */
final class Judges {
  private static final boolean CI = "true".equals(System.getenv("CI"));

  private Judges() {}

  /** What a program said, and how it ended. */
  record Verdict(int exit, String said) {}

  /** The program's path; without it the test is skipped on a laptop and fails in CI. */
  static Path program(String name, String aptPackages) {
    Optional<Path> found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    String missing = name + " is not installed: apt-get install " + aptPackages;
    if (found.isEmpty() && CI) {
      throw new AssertionError("missing in CI: " + missing);
    }
    assumeTrue(found.isPresent(), missing);
    return found.orElseThrow();
  }

  static Verdict run(Path folder, String input, List<String> command) throws Exception {
    Path file = Files.createTempFile("judge", ".in");
    try {
      Files.writeString(file, input);
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(file.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Verdict(process.waitFor(), said);
    } finally {
      Files.delete(file);
    }
  }

  /** Manifests as YAML, before the Kubernetes API's schemas. */
  static Verdict kubernetes(String manifests) throws Exception {
    Path node = program("node", "nodejs");
    return run(modules(), manifests, List.of(node.toString(), "judge.mjs"));
  }

  /** The folder with the script and its modules, installed from the lock file once. */
  private static synchronized Path modules() throws Exception {
    Path npm = program("npm", "npm");
    Path source = Path.of("src", "test", "node");
    Path target = Files.createDirectories(Path.of("target", "node").toAbsolutePath());
    Path lock = source.resolve("package-lock.json");
    Path installed = target.resolve("installed.json");
    boolean current = Files.exists(installed) && Files.mismatch(lock, installed) < 0;
    for (String file : List.of("package.json", "package-lock.json", "judge.mjs")) {
      Files.copy(source.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!current) {
      Verdict verdict =
          run(
              target,
              "",
              List.of(npm.toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
      if (verdict.exit() != 0) {
        throw new IOException("npm ci failed: " + verdict.said());
      }
      Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
    }
    return target;
  }
}
