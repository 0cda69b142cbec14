package io.penstock.loadtest.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCpuTest {
  @TempDir private Path proc;

  private void process(long pid, String name, long parent, long user, long system)
      throws IOException {
    Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        proc.resolve(pid + "/stat"),
        "%d (%s) S %d 1 1 0 -1 4194560 1 2 3 4 %d %d 7 8 20 0 1 0 100"
            .formatted(pid, name, parent, user, system));
  }

  @Test
  void aProcessIsChargedWithAllItStarted() throws IOException {
    process(10, "nginx: master", 1, 5, 7);
    process(11, "nginx: worker (x) y", 10, 100, 200);
    process(12, "helper", 11, 1, 1);
    process(13, "other", 1, 1000, 1000);
    Files.createDirectories(proc.resolve("self"));
    var cpu = new ProcessCpu(proc);
    assertThat(cpu.seconds(10)).isEqualTo(3.14);
    assertThat(cpu.ownSeconds(10)).isEqualTo(0.12);
    assertThat(cpu.seconds(13)).isEqualTo(20);
  }

  @Test
  void aProcessThatEndedCostsNothingMore() {
    assertThat(new ProcessCpu(proc).seconds(99)).isZero();
  }
}
