package io.penstock.gateway.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built, from the file the build leaves in the jar. The time is that of the commit, so
 * that the same sources give the same jar.
 */
public record BuildInfo(String version, String commit, String commitTime) {
  private static final String UNKNOWN = "unknown";

  public static BuildInfo load() {
    var properties = new Properties();
    try (var file = BuildInfo.class.getResourceAsStream("/penstock-build.properties")) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        properties.getProperty("git.build.version", UNKNOWN),
        properties.getProperty("git.commit.id.abbrev", UNKNOWN),
        properties.getProperty("git.commit.time", UNKNOWN));
  }
}
