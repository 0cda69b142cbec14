package io.penstock.loadtest.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Where a result comes from: when, on what machine, of which commit, by which command. */
public record Origin(
    Instant at, String cpu, int cores, String kernel, String java, String commit, String command) {

  /** This machine, this working copy; {@code arguments} with secrets already taken out. */
  public static Origin here(Instant now, List<String> arguments) {
    return new Origin(
        now,
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.version", ""),
        describedCommit(),
        "./penstock loadtest " + String.join(" ", arguments));
  }

  private static String cpuModel() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String describedCommit() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? text.strip() : "unknown";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  /** In the order a reader wants it. */
  public Map<String, Object> asMap() {
    return Json.object(
        "at", at,
        "command", command,
        "commit", commit,
        "cpu", cpu,
        "cores", cores,
        "kernel", kernel,
        "java", java);
  }
}
