package io.penstock.loadtest;

import io.penstock.loadtest.peers.PeersRun;
import io.penstock.loadtest.peers.PeersRun.Cores;
import io.penstock.loadtest.peers.PeersRun.Pace;
import io.penstock.loadtest.peers.PeersRun.Wishes;
import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code loadtest peers}: the gateway beside nginx, haproxy and the store itself.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    description = {
      "Compare the gateway with other proxies: same scenario, same cores, interleaved rounds.",
      "Prints medians (min..max) and ratios to the baseline; --list shows the cases."
    })
final class PeersCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--list", description = "show the cases and end")
  private boolean list;

  @Option(
      names = "--cases",
      split = ",",
      paramLabel = "NAME",
      description = "only these (default: all)")
  private List<String> cases = new ArrayList<>();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "direct,nginx,haproxy,gateway",
      description = "scripts of loadtest/peers, and direct (default: ${DEFAULT-VALUE})")
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--gateway",
      paramLabel = "NAME=FILE",
      description = "one more gateway, with the YAML sections of FILE added to its configuration")
  private Map<String, Path> gateways = new LinkedHashMap<>();

  @Option(names = "--rounds", defaultValue = "5", description = "default: 5")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "each measurement (default: ${DEFAULT-VALUE})")
  private String seconds = "";

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "400ms",
      description = "before each measurement (default: ${DEFAULT-VALUE})")
  private String warmup = "";

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "load on a JVM before a case's first round (default: ${DEFAULT-VALUE})")
  private String settle = "";

  @Option(
      names = "--cores",
      paramLabel = "LOAD,PROXY",
      split = ",",
      defaultValue = "0,1",
      description = "core of client and store, core of the proxy (default: ${DEFAULT-VALUE})")
  private int[] cores = {0, 1};

  @Option(names = "--json", paramLabel = "FILE", description = "write all rounds as JSON")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "write one self-contained page")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      PeersRun.catalogue().forEach(spec.commandLine().getOut()::println);
      return 0;
    }
    PeersRun.Outcome outcome;
    try {
      outcome = new PeersRun(wishes(), Checkout.root("peers"), this::progress).run(this::origin);
    } catch (IllegalArgumentException | IllegalStateException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 2;
    }
    spec.commandLine().getOut().println(outcome.text());
    if (json != null) {
      Files.writeString(json, Json.text(outcome.json()));
    }
    if (html != null) {
      Files.writeString(html, outcome.html());
    }
    return outcome.failed() ? 1 : 0;
  }

  private Wishes wishes() {
    if (cores.length != 2) {
      throw new IllegalArgumentException("--cores takes two numbers, for example 0,1");
    }
    var pace =
        new Pace(
            rounds,
            Quantity.duration(seconds),
            Quantity.duration(warmup),
            Quantity.duration(settle));
    return new Wishes(cases, peers, gateways, new Cores(cores[1], cores[0]), pace);
  }

  private Origin origin() {
    return Origin.here(
        InstantSource.system().instant(),
        spec.commandLine().getParent().getParseResult().originalArgs());
  }

  private void progress(String step) {
    spec.commandLine().getErr().println(step);
  }
}
