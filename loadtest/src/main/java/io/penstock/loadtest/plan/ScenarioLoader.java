package io.penstock.loadtest.plan;

import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.plan.Scenario.Connections;
import io.penstock.loadtest.plan.Scenario.Objects;
import io.penstock.loadtest.plan.Scenario.Payload;
import io.penstock.loadtest.plan.Scenario.Timing;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a scenario file. Every key has a default but {@code name}; every problem is reported, not
 * only the first, each with its line.
 *
 * <p>Threading: any.
 */
public final class ScenarioLoader {
  private final List<Problem> problems = new ArrayList<>();

  private ScenarioLoader() {}

  /**
   * The scenario in {@code file}.
   *
   * @throws ScenarioException with all problems of the file
   * @throws IOException when the file cannot be read
   */
  public static Scenario load(Path file) throws IOException, ScenarioException {
    return parse(file.toString(), Files.readString(file));
  }

  /**
   * The scenario in {@code yaml}; {@code file} is only its name.
   *
   * @throws ScenarioException with all problems of the text
   */
  public static Scenario parse(String file, String yaml) throws ScenarioException {
    var loader = new ScenarioLoader();
    try (Reader reader = new StringReader(yaml)) {
      Node root = new Yaml(new LoaderOptions()).compose(reader);
      if (root == null) {
        throw new ScenarioException(
            file, List.of(new Problem("name", 1, "is missing: the file is empty")));
      }
      Scenario scenario = loader.scenario(new YamlSection("", root, loader.problems));
      if (!loader.problems.isEmpty()) {
        loader.problems.sort(Comparator.comparingInt(Problem::line));
        throw new ScenarioException(file, loader.problems);
      }
      return scenario;
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new ScenarioException(
          file, List.of(new Problem("yaml", line, String.valueOf(e.getProblem()))));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Scenario scenario(YamlSection root) {
    String name = root.value("name", "", Function.identity());
    if (name.isBlank()) {
      root.problem("name", "is missing; give the scenario a short name");
    }
    long seed = root.value("seed", 1L, Long::parseLong);
    var scenario =
        new Scenario(
            name,
            root.value("description", "", Function.identity()),
            root.weights("workload", ScenarioLoader::operation)
                .orElse(Weighted.only(Operation.GET)),
            objects(root.section("objects")),
            arrivals(root.section("arrivals"), seed),
            connections(root.section("connections")),
            timing(root.section("timing")),
            seed);
    root.refuseOthers();
    return scenario;
  }

  private static Objects objects(YamlSection section) {
    var objects =
        new Objects(
            section.value("bucket", "bench", Function.identity()),
            section.weights("sizes", Quantity::bytes).orElse(Weighted.only(100L << 10)),
            section.value("count", 256, atLeast(1)),
            section.value("zipf", 0.0, Double::parseDouble),
            section.value("range", 128L << 10, Quantity::bytes),
            section.value("payload", Payload.UNSIGNED, oneOf(Payload.class)));
    if (!(objects.zipf() >= 0)) {
      section.problem("zipf", "is 0 (uniform) or more");
    }
    if (objects.range() < 1) {
      section.problem("range", "is 1 byte or more");
    }
    section.refuseOthers();
    return objects;
  }

  private static Arrivals arrivals(YamlSection section, long seed) {
    enum Kind {
      CLOSED,
      CONSTANT,
      POISSON,
      STEP
    }
    Kind kind = section.value("kind", Kind.CLOSED, oneOf(Kind.class));
    Arrivals arrivals =
        switch (kind) {
          case CLOSED -> new Arrivals.Closed();
          case CONSTANT -> new Arrivals.Open(new ArrivalSchedule.Constant(rate(section)));
          case POISSON -> new Arrivals.Open(new ArrivalSchedule.Poisson(rate(section), seed));
          case STEP -> new Arrivals.Open(steps(section));
        };
    section.refuseOthers();
    return arrivals;
  }

  private static double rate(YamlSection section) {
    if (!section.has("rate")) {
      section.problem("rate", "is missing: requests per second");
    }
    return section.value("rate", 1.0, ScenarioLoader::positive);
  }

  private static ArrivalSchedule.Step steps(YamlSection section) {
    List<ArrivalSchedule.Step.Stage> stages = new ArrayList<>();
    for (YamlSection stage : section.sections("steps")) {
      double rate = rate(stage);
      Duration length = stage.value("length", Duration.ofSeconds(1), Quantity::duration);
      if (length.isPositive()) {
        stages.add(new ArrivalSchedule.Step.Stage(rate, length));
      } else {
        stage.problem("length", "must be longer than 0s");
      }
      stage.refuseOthers();
    }
    if (stages.isEmpty()) {
      section.problem("steps", "is missing: a list of {rate: ..., length: ...}");
      stages.add(new ArrivalSchedule.Step.Stage(1, Duration.ofSeconds(1)));
    }
    return new ArrivalSchedule.Step(stages);
  }

  private static Connections connections(YamlSection section) {
    int http = section.value("http", 1, Integer::parseInt);
    if (http != 1 && http != 2) {
      section.problem("http", "is 1 or 2");
    }
    var connections =
        new Connections(
            section.value("count", 32, atLeast(1)),
            http == 2 ? Connections.Http.HTTP_2 : Connections.Http.HTTP_1,
            section.value("streams", 1, atLeast(1)),
            section.value("threads", 1, atLeast(1)));
    if (connections.streams() > 1 && http == 1) {
      section.problem("streams", "above 1 needs http: 2");
    }
    if (connections.threads() > connections.count()) {
      section.problem("threads", "cannot be more than the connections");
    }
    section.refuseOthers();
    return connections;
  }

  private static Timing timing(YamlSection section) {
    var timing =
        new Timing(
            section.value("warmup", Duration.ofSeconds(1), Quantity::duration),
            section.value("duration", Duration.ofSeconds(10), Quantity::duration),
            section.value("grace", Duration.ofSeconds(10), Quantity::duration));
    if (!timing.duration().isPositive()) {
      section.problem("duration", "must be longer than 0s");
    }
    section.refuseOthers();
    return timing;
  }

  private static Operation operation(String text) {
    return oneOf(Operation.class).apply(text);
  }

  private static double positive(String text) {
    double value = Double.parseDouble(text);
    if (!(value > 0)) {
      throw new IllegalArgumentException("must be above 0, not " + text);
    }
    return value;
  }

  private static Function<String, Integer> atLeast(int least) {
    return text -> {
      int value = Integer.parseInt(text);
      if (value < least) {
        throw new IllegalArgumentException("must be " + least + " or more, not " + text);
      }
      return value;
    };
  }

  private static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
    return text -> {
      for (E constant : type.getEnumConstants()) {
        if (spell(constant).equals(text)) {
          return constant;
        }
      }
      throw new IllegalArgumentException("'" + text + "' is unknown; use one of " + known(type));
    };
  }

  private static <E extends Enum<E>> String known(Class<E> type) {
    return String.join(
        ", ", List.of(type.getEnumConstants()).stream().map(ScenarioLoader::spell).toList());
  }

  private static String spell(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
