package io.penstock.gateway.clients;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the judges need from the machine: programs, scripts of this package, free ports, scratch
 * folders.
 */
final class Tools {
  private static final boolean CI = "true".equals(System.getenv("CI"));

  private Tools() {}

  /** Goes on only if {@code present}: otherwise aborts the test on a laptop, and fails it in CI. */
  static void require(boolean present, String whatToDo) {
    if (!present && CI) {
      throw new AssertionError("missing in CI: " + whatToDo);
    }
    assumeTrue(present, whatToDo);
  }

  /**
   * Goes on only if {@code present}, in CI too: for what no package of the distribution provides.
   */
  static void optional(boolean present, String reason) {
    assumeTrue(present, reason);
  }

  /** The program's path, or an aborted (CI: failed) test that says which package to install. */
  static Path program(String name, String aptPackages) {
    Optional<Path> found = find(name);
    require(found.isPresent(), name + " is not installed: apt-get install " + aptPackages);
    return found.orElseThrow();
  }

  static Optional<Path> find(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** A file under src/test/resources. */
  static Path resource(String name) {
    URL url = Tools.class.getClassLoader().getResource(name);
    if (url == null) {
      throw new IllegalArgumentException("no test resource " + name);
    }
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A port of the loopback address that was free a moment ago. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A folder for logs and scratch files, kept after the run for whoever looks into a failure. */
  static Path workFolder(String name) {
    try {
      return Files.createDirectories(Path.of("target", "judges", name).toAbsolutePath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
