package io.penstock.arrow.wire;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The readers of Node as judges: installed by {@code npm ci} from the lock file of src/test/node
 * into target/node, once for each lock file. Without Node the test is skipped on a laptop and fails
 * in CI.
 */
final class NodeReader {
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "judge.mjs");
  private static final boolean CI = "true".equals(System.getenv("CI"));

  private final Path folder;
  private final String reader;

  private NodeReader(Path folder, String reader) {
    this.folder = folder;
    this.reader = reader;
  }

  /** npm apache-arrow. */
  static NodeReader arrow() {
    return new NodeReader(installed(), "arrow");
  }

  /** npm nodejs-polars, whose native part is installed for x86-64 only. */
  static NodeReader polars() {
    assumeTrue("amd64".equals(System.getProperty("os.arch")), "nodejs-polars on x86-64 only");
    return new NodeReader(installed(), "polars");
  }

  /** What the reader makes of a stream; nothing if it refuses it. */
  Optional<JsonNode> read(byte[] stream) {
    try {
      Path file = Files.createTempFile(folder, "stream", ".arrows");
      Path output = Files.createTempFile(folder, "stream", ".json");
      try {
        Files.write(file, stream);
        ProcessBuilder node = new ProcessBuilder("node", "judge.mjs", reader, file.toString());
        node.directory(folder.toFile()).redirectOutput(output.toFile());
        node.redirectError(ProcessBuilder.Redirect.to(folder.resolve("judge.log").toFile()));
        int code = node.start().waitFor();
        if (code == 3) {
          return Optional.empty();
        }
        if (code != 0) {
          throw new AssertionError("node ended with " + code + ", see " + folder + "/judge.log");
        }
        return Optional.of(new ObjectMapper().readTree(output.toFile()));
      } finally {
        Files.delete(file);
        Files.delete(output);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized Path installed() {
    require(onPath("node") && onPath("npm"), "node and npm are not installed");
    Path source = Path.of("src", "test", "node");
    Path target = Path.of("target", "node").toAbsolutePath();
    Path installed = target.resolve("installed.json");
    try {
      Path lock = source.resolve("package-lock.json");
      boolean current = Files.exists(installed) && Files.mismatch(lock, installed) < 0;
      Files.createDirectories(target);
      for (String file : FILES) {
        Files.copy(source.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      if (!current) {
        require(install(target), "npm ci failed, see " + target.resolve("npm.log"));
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
      }
      return target;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean install(Path folder) throws IOException, InterruptedException {
    // --force: polars asks for a newer Node than it needs, and for the platform it was built for
    ProcessBuilder npm =
        new ProcessBuilder(
            "npm",
            "ci",
            "--force",
            "--omit=optional",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund");
    npm.directory(folder.toFile()).redirectErrorStream(true);
    npm.redirectOutput(folder.resolve("npm.log").toFile());
    return npm.start().waitFor() == 0;
  }

  private static boolean onPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .filter(part -> !part.isEmpty())
        .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
  }

  private static void require(boolean present, String whatToDo) {
    if (!present && CI) {
      throw new AssertionError("missing in CI: " + whatToDo);
    }
    assumeTrue(present, whatToDo);
  }
}
