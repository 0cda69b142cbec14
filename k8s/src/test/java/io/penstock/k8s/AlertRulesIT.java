package io.penstock.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Prometheus' own tool reads the alert rules, and they fire when they should. */
class AlertRulesIT {
  private static final Path RULES = Path.of("alerts", "penstock.yaml").toAbsolutePath();
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

  @Test
  void promtoolTakesTheRules() throws Exception {
    Judges.Verdict verdict = promtool("check", "rules", RULES.toString());
    assertThat(verdict.said()).contains("SUCCESS: " + alerts().size() + " rules found");
    assertThat(verdict.exit()).isZero();
  }

  @Test
  void theyFireWhenTheyShouldAndOnlyThen() throws Exception {
    Path folder = Files.createDirectories(Path.of("target", "alerts"));
    Files.copy(
        Path.of("src", "test", "resources", "alert-tests.yaml"),
        folder.resolve("tests.yaml"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(folder.resolve("penstock.yaml"), Files.readString(RULES));
    Judges.Verdict verdict = promtool("test", "rules", folder.resolve("tests.yaml").toString());
    assertThat(verdict.said()).contains("SUCCESS");
    assertThat(verdict.exit()).isZero();
  }

  @Test
  void eachAlertHasAChapterThatSaysWhatToDo() throws Exception {
    String guide = Files.readString(Path.of("..", "docs", "troubleshooting.md"));
    for (String alert : alerts()) {
      assertThat(guide).contains("\n### " + alert + "\n");
      assertThat(Files.readString(RULES))
          .contains("docs/troubleshooting.md#" + alert.toLowerCase(Locale.ROOT));
    }
  }

  private static List<String> alerts() throws Exception {
    return ALERT
        .matcher(Files.readString(RULES))
        .results()
        .map((MatchResult it) -> it.group(1))
        .toList();
  }

  private static Judges.Verdict promtool(String... arguments) throws Exception {
    Path program = Judges.program("promtool", "prometheus");
    List<String> command = new java.util.ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return Judges.run(Path.of("."), "", command);
  }
}
