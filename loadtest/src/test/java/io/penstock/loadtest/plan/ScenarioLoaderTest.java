package io.penstock.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.plan.Scenario.Connections;
import io.penstock.loadtest.plan.Scenario.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioLoaderTest {
  @Test
  void everythingHasADefaultButTheName() throws Exception {
    Scenario scenario = ScenarioLoader.parse("x", "name: plain");
    assertThat(scenario.operations()).containsExactly(Operation.GET);
    assertThat(scenario.arrivals()).isEqualTo(new Arrivals.Closed());
    assertThat(scenario.objects().sizes().values()).containsExactly(102_400L);
  }

  @Test
  void everyKeyIsRead() throws Exception {
    Scenario scenario =
        ScenarioLoader.parse(
            "x",
            """
            name: all
            description: everything
            workload: {get: 8, put: 2}
            objects:
              bucket: b
              sizes: {4KiB: 3, 1MiB: 1}
              count: 10
              zipf: 0.9
              range: 64KiB
              payload: chunks-trailer
            arrivals: {kind: step, steps: [{rate: 10, length: 2s}, {rate: 20, length: 500ms}]}
            connections: {count: 6, http: 2, streams: 4, threads: 2}
            timing: {warmup: 100ms, duration: 3s, grace: 1s}
            seed: 7
            """);
    assertThat(scenario.workload().choices()).hasSize(2);
    assertThat(scenario.objects().sizes().values()).containsExactly(4096L, 1L << 20);
    assertThat(scenario.objects().payload()).isEqualTo(Payload.CHUNKS_TRAILER);
    assertThat(scenario.objects().range()).isEqualTo(65536);
    assertThat(scenario.connections()).isEqualTo(new Connections(6, Connections.Http.HTTP_2, 4, 2));
    assertThat(scenario.timing().warmup()).isEqualTo(Duration.ofMillis(100));
    assertThat(scenario.seed()).isEqualTo(7);
    assertThat(scenario.arrivals())
        .isEqualTo(
            new Arrivals.Open(
                new ArrivalSchedule.Step(
                    List.of(
                        new ArrivalSchedule.Step.Stage(10, Duration.ofSeconds(2)),
                        new ArrivalSchedule.Step.Stage(20, Duration.ofMillis(500))))));
  }

  @Test
  void allProblemsAreReportedWithTheirLines() {
    assertThatThrownBy(
            () ->
                ScenarioLoader.parse(
                    "bad.yaml",
                    """
                    description: no name
                    workload: {get: 1, delete: 1}
                    objects:
                      sizes: {100Kib: 1}
                      cuont: 5
                    arrivals: {kind: poisson}
                    connections: {count: many, streams: 3}
                    timing: {duration: 0s}
                    """))
        .isInstanceOfSatisfying(
            ScenarioException.class,
            e ->
                assertThat(e.problems())
                    .extracting(problem -> problem.line() + " " + problem.path())
                    .containsExactlyInAnyOrder(
                        "1 name",
                        "2 workload.delete",
                        "4 objects.sizes.100Kib",
                        "5 objects.cuont",
                        "6 arrivals.rate",
                        "7 connections.count",
                        "7 connections.streams",
                        "8 timing.duration"))
        .hasMessageContaining("bad.yaml: line 4")
        .hasMessageContaining("write for example 4096, 100KiB");
  }

  @Test
  void aKeyWrittenTwiceAndBrokenYamlAreProblemsToo() {
    assertThatThrownBy(() -> ScenarioLoader.parse("x", "name: a\nname: b\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("line 2: name: is written twice");
    assertThatThrownBy(() -> ScenarioLoader.parse("x", "name: [a\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("yaml");
    assertThatThrownBy(() -> ScenarioLoader.parse("x", "")).isInstanceOf(ScenarioException.class);
  }

  @Test
  void everyScenarioThatIsShippedLoads() throws IOException {
    List<Path> files;
    try (var list = Files.list(Path.of("scenarios"))) {
      files = list.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    assertThat(files.getFirst().getFileName().toString()).startsWith("00-baseline");
    assertThat(files)
        .allSatisfy(
            file -> {
              Scenario scenario = ScenarioLoader.load(file);
              assertThat(file.getFileName().toString()).endsWith(scenario.name() + ".yaml");
              assertThat(scenario.description()).isNotBlank();
            });
  }
}
