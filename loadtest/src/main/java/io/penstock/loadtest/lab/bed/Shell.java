package io.penstock.loadtest.lab.bed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs short commands to their end.
 *
 * <p>Threading: any; blocks.
 */
final class Shell {
  private Shell() {}

  /** What one command said. */
  record Said(int code, String text) {}

  /** Output and errors together. */
  static Said run(List<String> command) throws BedException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), text.strip());
    } catch (IOException e) {
      throw new BedException("cannot run " + command.getFirst() + ": " + e.getMessage());
    }
  }

  /**
   * The output of a command that must succeed.
   *
   * @throws BedException if it does not
   */
  static String must(String... command) throws BedException, InterruptedException {
    Said said = run(List.of(command));
    if (said.code() != 0) {
      throw new BedException(String.join(" ", command) + ": " + said.text());
    }
    return said.text();
  }
}
