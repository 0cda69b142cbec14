package io.penstock.loadtest.lab;

import io.penstock.loadtest.lab.Fabric.Cores;
import io.penstock.loadtest.lab.Fabric.Said;
import io.penstock.loadtest.lab.bed.BedException;
import io.penstock.loadtest.lab.bed.Namespaces;
import io.penstock.loadtest.lab.bed.WorkFolder;
import io.penstock.loadtest.lab.plan.Experiment;
import io.penstock.loadtest.lab.plan.Results;
import io.penstock.loadtest.lab.plan.Results.Sample;
import io.penstock.loadtest.lab.plan.Setting;
import io.penstock.loadtest.lab.plan.Topology;
import io.penstock.loadtest.lab.plan.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plays experiments: every variant once a round, in an order that turns from round to round.
 * Whatever happens, also when the JVM is told to end, namespaces, processes and files are removed.
 *
 * <p>Threading: blocks its caller.
 */
public final class LabRun {
  // apart from all other measurements, whatever one reads
  private static final long OBJECTS_PER_TRIAL = 200_000;

  private final Path root;
  private final Topology topology;
  private final Progress progress;
  private final Set<String> commands = new LinkedHashSet<>();
  private final Set<String> settled = new HashSet<>();
  private long trial;
  private int done;

  /** Told before each measurement: how many are done, of how many, and what comes next. */
  @FunctionalInterface
  public interface Progress {
    void at(int done, int total, String next);
  }

  /** What was measured, and the consumers' commands. */
  public record Outcome(Topology topology, List<Results> results, List<String> commands) {}

  /** {@code root} is the repository. */
  public LabRun(Path root, Topology topology, Progress progress) {
    this.root = root;
    this.topology = topology;
    this.progress = progress;
  }

  /**
   * Plays them one after the other.
   *
   * @throws BedException if the machine cannot be a lab; what cannot be measured is in the results
   */
  public Outcome play(List<Experiment> experiments)
      throws BedException, IOException, InterruptedException {
    int total = experiments.stream().mapToInt(Experiment::trials).sum();
    List<Results> results = new ArrayList<>();
    try (var namespaces = Namespaces.create(topology);
        var folder = WorkFolder.create();
        var _ = new EndWithJvm(namespaces, folder)) {
      for (Experiment experiment : experiments) {
        // a new fabric each: no gateway has seen an earlier experiment
        try (var fabric = fabric(namespaces, folder, experiment)) {
          results.add(play(experiment, fabric, total));
        }
      }
    }
    return new Outcome(topology, results, List.copyOf(commands));
  }

  private Fabric fabric(Namespaces namespaces, WorkFolder folder, Experiment experiment)
      throws IOException {
    Path own = Files.createDirectory(folder.path().resolve(experiment.name()));
    return new Fabric(namespaces, Cores.ofThisMachine(), root, own);
  }

  /** Variants that are not measured any further. */
  private record Lost(Map<String, String> skipped, Map<String, String> failed) {
    boolean has(Variant variant) {
      return skipped.containsKey(variant.name()) || failed.containsKey(variant.name());
    }
  }

  private Results play(Experiment experiment, Fabric fabric, int total)
      throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    var lost = new Lost(new LinkedHashMap<>(), new LinkedHashMap<>());
    for (Setting setting : experiment.settings()) {
      List<Variant> order = new ArrayList<>(experiment.variants());
      for (int round = 1; round <= experiment.rounds(); round++) {
        for (Variant variant : order) {
          String what = experiment.name() + ", " + setting.name() + ", " + variant.name();
          progress.at(done++, total, what + ", round " + round + "/" + experiment.rounds());
          if (!lost.has(variant)) {
            measure(fabric, setting, variant, round, lost).ifPresent(samples::add);
          }
        }
        Collections.rotate(order, 1);
      }
    }
    return new Results(experiment, samples, lost.skipped(), lost.failed());
  }

  private Optional<Sample> measure(
      Fabric fabric, Setting setting, Variant variant, int round, Lost lost)
      throws IOException, InterruptedException {
    try {
      fabric.prepare(setting, variant);
      settle(fabric, setting, variant);
      Said said = fabric.run(setting, variant, unread(Map.of()));
      ConsumerSaid read = ConsumerSaid.of(said.lines());
      read.notes().forEach(commands::add);
      if (read.skipped().isPresent()) {
        lost.skipped().put(variant.name(), read.skipped().get());
        return Optional.empty();
      }
      Map<String, Double> figures = new LinkedHashMap<>(read.figures());
      figures.put("gateway_cpu_s", said.gatewayCpuSeconds());
      return Optional.of(new Sample(setting.name(), variant.name(), round, figures));
    } catch (BedException e) {
      lost.failed().put(variant.name(), setting.name() + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Loads a gateway that was never asked so before: its JVM compiles what it needs. */
  private void settle(Fabric fabric, Setting setting, Variant variant)
      throws BedException, IOException, InterruptedException {
    String kind = System.identityHashCode(fabric) + setting.name() + variant.family();
    if (variant.route() == Variant.Route.GATEWAY && settled.add(kind)) {
      fabric.run(setting, variant, unread(variant.program().settling()));
    }
  }

  /** Those orders, and objects that nobody has read. */
  private Map<String, String> unread(Map<String, String> orders) {
    Map<String, String> all = new LinkedHashMap<>(orders);
    all.put("first", Long.toString(trial++ * OBJECTS_PER_TRIAL));
    return all;
  }

  /** Removes the namespaces when the JVM ends early, for example by Ctrl-C. */
  private static final class EndWithJvm implements AutoCloseable {
    private final Thread hook;

    EndWithJvm(Namespaces namespaces, WorkFolder folder) {
      hook =
          new Thread(
              () -> {
                namespaces.close();
                folder.close();
              },
              "remove-lab");
      Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the JVM ends: the hook is at work
      }
    }
  }
}
