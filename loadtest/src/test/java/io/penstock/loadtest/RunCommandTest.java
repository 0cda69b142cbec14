package io.penstock.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RunCommandTest {

  @Test
  void theQuickStartsKeysAreTheDefault() {
    assumeTrue(System.getenv("PENSTOCK_SECRET_KEY") == null, "PENSTOCK_SECRET_KEY is set");
    CommandLine run = new CommandLine(new RunCommand());
    run.parseArgs("--endpoint", "http://127.0.0.1:1");
    String access = run.getCommandSpec().findOption("--access-key").getValue();
    String secret = run.getCommandSpec().findOption("--secret-key").getValue();
    assertThat(access).isEqualTo("demo");
    assertThat(secret).isEqualTo("demo-secret");
    assertThat(run.getUsageMessage()).doesNotContain("secret: demo");
  }
}
