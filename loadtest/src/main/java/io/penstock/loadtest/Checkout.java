package io.penstock.loadtest;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the repository is whose code runs. */
final class Checkout {
  private Checkout() {}

  /**
   * The repository: where the launcher says ({@code penstock.home}), or some folders above this
   * module's jar or classes.
   *
   * @param folder of {@code loadtest} that must be in it
   * @throws IllegalStateException if the code does not run from a checkout
   */
  static Path root(String folder) {
    Path home = Path.of(System.getProperty("penstock.home", ""));
    if (Files.isDirectory(home.resolve("loadtest").resolve(folder))) {
      return home.toAbsolutePath();
    }
    try {
      Path code =
          Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path at = code; at != null; at = at.getParent()) {
        if (Files.isDirectory(at.resolve("loadtest").resolve(folder))) {
          return at;
        }
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a class path entry that is no file", e);
    }
    throw new IllegalStateException(
        "cannot find loadtest/" + folder + "; run ./penstock loadtest from a checkout");
  }
}
