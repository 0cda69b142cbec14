package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The Node client's modules, installed by {@code npm ci} from the lock file of src/test/node into
 * target/node, once for each lock file.
 */
final class NodeModules {
  private static final List<String> FILES =
      List.of("package.json", "package-lock.json", "client.mjs");

  private NodeModules() {}

  /** The folder that holds the script and node_modules, or an aborted (CI: failed) test. */
  static synchronized Path folder() {
    Path npm = Tools.program("npm", "nodejs npm");
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
        Tools.require(install(npm, target), "npm ci failed, see " + target.resolve("npm.log"));
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
      }
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean install(Path npm, Path folder) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(npm.toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("npm.log").toFile());
    try {
      return builder.start().waitFor() == 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
