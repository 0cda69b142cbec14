package io.penstock.dpu.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.platform.CpuSet;
import io.penstock.dpu.platform.PlatformProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ThreadPinnerTest {
  private final ThreadPinner pinner = new ThreadPinner();
  private final CpuSet allowed = PlatformProbe.here().affinity().orElseThrow();

  /** What the kernel says of the calling thread. */
  private static String allowedList() throws Exception {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  private static <T> T onThread(java.util.concurrent.Callable<T> body) throws Exception {
    FutureTask<T> task = new FutureTask<>(body);
    Thread.ofPlatform().start(task);
    return task.get();
  }

  @Test
  void theKernelConfirmsThePin() throws Exception {
    CpuSet last = new CpuSet(List.of(allowed.cpus().getLast()));
    String list =
        onThread(
            () -> {
              assertThat(pinner.pin(last)).isEqualTo(new Pinning.Pinned(last));
              return allowedList();
            });
    assertThat(list).isEqualTo(last.toString());
  }

  @Test
  void otherThreadsStayWhereTheyWere() throws Exception {
    String before = allowedList();
    assertThat(pinner.trial(new CpuSet(List.of(allowed.cpus().getFirst()))))
        .isInstanceOf(Pinning.Pinned.class);
    assertThat(allowedList()).isEqualTo(before);
  }

  @Test
  void aProcessorThatDoesNotExistIsRefusedWithTheReason() {
    CpuSet far = new CpuSet(List.of(8000));
    assertThat(pinner.trial(far))
        .isEqualTo(
            new Pinning.Refused(
                "processors 8000 refused: they do not exist or the container's cpuset excludes"
                    + " them"));
  }

  @Test
  void aVirtualThreadIsRefused() throws Exception {
    FutureTask<Pinning> task = new FutureTask<>(() -> pinner.pin(allowed));
    Thread.startVirtualThread(task);
    assertThat(task.get()).isInstanceOf(Pinning.Refused.class);
  }
}
