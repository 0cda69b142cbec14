package io.penstock.loadtest.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.loadtest.lab.bed.Namespaces;
import io.penstock.loadtest.lab.plan.Experiment;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.lab.plan.Results;
import io.penstock.loadtest.lab.plan.Setting;
import io.penstock.loadtest.lab.plan.Topology;
import io.penstock.loadtest.lab.plan.Topology.Rate;
import io.penstock.loadtest.lab.plan.Variant;
import io.penstock.loadtest.lab.plan.Variant.Program;
import io.penstock.loadtest.lab.plan.Variant.Route;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** A lab of seconds: the store alone behind a thin link. */
class LabIT {
  private static final Metric RATE = new Metric("mb_s", "MB/s", false);
  // 80 Mbit/s
  private static final double MEGABYTES = 10;
  private static final String STALE = "penstock-lab-999999999-1-host";

  @BeforeEach
  void needsRootAndIproute2() throws Exception {
    Optional<String> obstacle = Namespaces.obstacle();
    if (obstacle.isPresent() && "true".equals(System.getenv("CI"))) {
      throw new AssertionFailedError("CI must be able to run the lab: " + obstacle.get());
    }
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
  }

  @Test
  void measuresThroughAShapedLinkAndLeavesNothingBehind() throws Exception {
    output("ip", "netns", "add", STALE);
    List<Path> before = folders();
    var topology = new Topology(Rate.ofMegabits(80), Rate.ofMegabits(1000));
    Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", "..")).toRealPath();
    var run = new LabRun(root, topology, (_, _, _) -> {});
    Results results = run.play(List.of(tiny())).results().getFirst();
    assertThat(results.failed()).isEmpty();
    assertThat(results.skipped()).isEmpty();
    double rate = results.spread("bare", "single GETs", RATE).median();
    assertThat(rate).isBetween(0.01, MEGABYTES * 1.2);
    String own = "penstock-lab-" + ProcessHandle.current().pid() + "-";
    assertThat(output("ip", "netns", "list")).doesNotContain(own).doesNotContain(STALE);
    assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(folders()).containsExactlyInAnyOrderElementsOf(before);
  }

  private static Experiment tiny() {
    Map<String, String> orders =
        Map.of("connections", "2", "size", "100KiB", "warmup", "1s", "window", "2s");
    return new Experiment(
        "tiny",
        "Does it run?",
        List.of(new Setting("bare", 0, 0, orders)),
        List.of(Variant.alone("single GETs", Program.READER, Route.STORE, "single")),
        List.of(RATE),
        List.of(),
        1);
  }

  private static List<Path> folders() throws Exception {
    try (var all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("penstock-lab-")).toList();
    }
  }

  private static String output(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text;
  }
}
