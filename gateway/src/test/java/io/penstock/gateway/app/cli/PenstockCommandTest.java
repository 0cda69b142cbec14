package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PenstockCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  static java.util.stream.Stream<String> commands() {
    return PenstockCommand.commandLine(new PrintWriter(System.out), new PrintWriter(System.err))
        .getSubcommands()
        .keySet()
        .stream();
  }

  @Test
  void anUnknownCommandIsOneLineAndWrongUse() {
    assertThat(run("stroe")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("stroe").contains("store").contains("--help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aMissingOptionIsNamed() {
    assertThat(run("store", "--memory", "--secret-key", "s")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("penstock store: ").contains("--access-key");
  }

  @Test
  void aPortOutOfRangeIsWrongUse() {
    assertThat(
            run("store", "--memory", "--access-key", "a", "--secret-key", "s", "--port", "70000"))
        .isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("70000").contains("65535");
  }

  @Test
  void aFailureIsOneLineWithoutAStackTrace() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(run("store", "--dir", file + "/below", "--access-key", "a", "--secret-key", "s"))
        .isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(file.toString());
  }

  @Test
  void verboseAddsTheStackTrace() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(
            run("store", "-v", "--dir", file + "/below", "--access-key", "a", "--secret-key", "s"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("\tat io.penstock.gateway.");
  }

  @Test
  void withoutACommandItIsWrongUse() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpWithAnExample(String command) {
    assertThat(run(command, "--help")).isZero();
    assertThat(out.toString())
        .contains("Usage: penstock " + command)
        .contains("./penstock " + command);
    assertThat(err.toString()).isEmpty();
  }

  private int run(String... arguments) {
    return PenstockCommand.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments);
  }
}
