package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.LoadClient;
import io.penstock.loadtest.peers.Fleet.Place;
import io.penstock.loadtest.peers.PeersBench.Settings;
import io.penstock.loadtest.report.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The bench as the command line sees it: wishes in, a finished report out.
 *
 * <p>Threading: blocks its caller; stops everything it started also when the JVM is told to end.
 */
public final class PeersRun {
  private final Wishes wishes;
  private final Path root;
  private final Consumer<String> progress;

  /**
   * What to measure. Empty {@code cases} or {@code peers}: all; {@code gateways} maps further names
   * to YAML files that are added to the gateway's configuration.
   */
  public record Wishes(
      List<String> cases, List<String> peers, Map<String, Path> gateways, Cores cores, Pace pace) {}

  /** Which core runs the proxy, and which the client and the store. */
  public record Cores(int proxy, int load) {}

  /** How often and how long. */
  public record Pace(int rounds, Duration seconds, Duration warmup, Duration settle) {}

  /** The report in three forms; {@code failed}: some request failed. */
  public record Outcome(String text, Map<String, Object> json, String html, boolean failed) {}

  /** {@code root} is the repository, {@code progress} gets a line per step. */
  public PeersRun(Wishes wishes, Path root, Consumer<String> progress) {
    this.wishes = wishes;
    this.root = root;
    this.progress = progress;
  }

  /** The names of all cases with the question each answers, for a help text. */
  public static List<String> catalogue() {
    return BenchCases.all().stream()
        .map(bench -> String.format("  %-16s %s", bench.name(), bench.question()))
        .toList();
  }

  /**
   * Runs it.
   *
   * @throws IllegalArgumentException when a case is wished for that does not exist
   */
  public Outcome run(Supplier<Origin> origin) throws IOException, InterruptedException {
    List<BenchCase> cases = selected();
    pinThisProcess(wishes.cores().load());
    var pace = wishes.pace();
    var settings = new Settings(pace.rounds(), pace.seconds(), pace.warmup(), pace.settle());
    List<CaseResult> results = new ArrayList<>();
    var place = new Place(root, wishes.cores().proxy());
    try (var fleet = new Fleet(place);
        var _ = new EndWithJvm(fleet);
        var client = new LoadClient(1, InstantSource.system())) {
      var bench = new PeersBench(settings, fleet, client, progress);
      for (BenchCase one : cases) {
        results.add(bench.run(one));
      }
      return outcome(new PeersReport(results, fleet.unavailable(), origin.get()));
    }
  }

  private static Outcome outcome(PeersReport report) {
    boolean failed =
        report.results().stream()
            .anyMatch(r -> r.bench().variants().stream().anyMatch(v -> r.errors(v.label()) > 0));
    return new Outcome(report.text(), report.asMap(), report.html(), failed);
  }

  private List<BenchCase> selected() {
    List<BenchCase> all = BenchCases.all();
    List<String> known = all.stream().map(BenchCase::name).toList();
    for (String name : wishes.cases()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no case is called " + name + "; known: " + String.join(", ", known));
      }
    }
    return all.stream()
        .filter(bench -> wishes.cases().isEmpty() || wishes.cases().contains(bench.name()))
        .map(this::withWishedVariants)
        .filter(bench -> !bench.variants().isEmpty())
        .toList();
  }

  private BenchCase withWishedVariants(BenchCase bench) {
    List<Variant> variants = new ArrayList<>();
    for (Variant variant : bench.variants()) {
      if (wishes.peers().contains(variant.script()) || variant.label().equals(bench.baseline())) {
        variants.add(variant);
      }
      if (variant.script().equals("gateway")) {
        wishes
            .gateways()
            .forEach(
                (name, file) -> variants.add(variant.with(name, file.toAbsolutePath().toString())));
      }
    }
    return bench.only(variants);
  }

  private static void pinThisProcess(int core) throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    Process taskset =
        new ProcessBuilder("taskset", "-a", "-c", "-p", Integer.toString(core), self)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (taskset.waitFor() != 0) {
      throw new IllegalStateException(
          "cannot pin to core " + core + "; this bench needs two cores: see --cores");
    }
  }

  /** Closes the fleet when the JVM ends early, for example by Ctrl-C. */
  private static final class EndWithJvm implements AutoCloseable {
    private final Thread hook;

    EndWithJvm(Fleet fleet) {
      hook = new Thread(fleet::close, "stop-peers");
      Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
