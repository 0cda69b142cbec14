package io.penstock.dpu.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selection under a real seccomp filter, as container runtimes install it. */
class SeccompIT {
  private static final int IO_URING_SETUP = 425;
  private static final int IO_URING_ENTER = 426;
  private static final int IO_URING_REGISTER = 427;

  private static String run(int forbidden, String wish) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SeccompedProcess.class.getName(),
            Integer.toString(forbidden),
            wish));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assumeTrue(
          process.exitValue() != SeccompedProcess.NO_SECCOMP, "this kernel installs no filter");
      assertThat(process.exitValue()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {IO_URING_ENTER, IO_URING_REGISTER})
  void withoutRingsEpollIsTaken(int forbidden) throws Exception {
    assertThat(run(forbidden, "AUTO"))
        .containsPattern("chosen epoll refused \\{io_uring=.*io_uring.*Operation not permitted}");
  }

  @Test
  void aForcedRingStopsTheStart() throws Exception {
    assertThat(run(IO_URING_SETUP, "IO_URING"))
        .contains("stopped runtime.transport is io_uring, but it does not work here")
        .contains("Operation not permitted")
        .contains("seccomp profile");
  }

  @Test
  void withoutAFilterThereIsARing() throws Exception {
    // a number that no system call has
    assertThat(run(9999, "AUTO")).contains("chosen io_uring refused {}");
  }
}
