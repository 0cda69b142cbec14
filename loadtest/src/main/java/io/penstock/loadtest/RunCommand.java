package io.penstock.loadtest;

import io.penstock.loadtest.client.LoadClient;
import io.penstock.loadtest.client.ObjectSeeder;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.plan.ArrivalSchedule;
import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.plan.Scenario.Arrivals;
import io.penstock.loadtest.plan.Scenario.Connections;
import io.penstock.loadtest.plan.ScenarioException;
import io.penstock.loadtest.plan.ScenarioLoader;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Origin;
import io.penstock.loadtest.report.RunReport;
import io.penstock.loadtest.sign.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code loadtest run}: one scenario against one endpoint.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Run a scenario against an S3 endpoint; exit 1 when any request failed.")
final class RunCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO.yaml",
      description = "see loadtest/scenarios; without one: 100 KiB GETs, closed loop")
  private @Nullable Path file;

  @Option(names = "--endpoint", required = true, description = "http(s)://HOST:PORT")
  private URI endpoint = URI.create("");

  @Option(names = "--access-key", defaultValue = "demo", description = "default: demo")
  private String accessKey = "";

  @Option(
      names = "--secret-key",
      defaultValue = "${env:PENSTOCK_SECRET_KEY:-demo-secret}",
      description = "default: the environment's PENSTOCK_SECRET_KEY, else demo-secret")
  private String secretKey = "";

  @Option(names = "--region", defaultValue = "us-east-1", description = "default: us-east-1")
  private String region = "";

  @Option(names = "--duration", paramLabel = "TIME", description = "instead of the scenario's")
  private @Nullable String duration;

  @Option(names = "--warmup", paramLabel = "TIME", description = "instead of the scenario's")
  private @Nullable String warmup;

  @Option(names = "--connections", paramLabel = "N", description = "instead of the scenario's")
  private @Nullable Integer connections;

  @Option(
      names = "--rate",
      paramLabel = "PER-SECOND",
      description = "Poisson arrivals at this rate instead of the scenario's arrivals")
  private @Nullable Double rate;

  @Option(names = "--seed-objects", description = "first put the objects that the run will read")
  private boolean seedObjects;

  @Option(names = "--verify", description = "compare every byte that is read")
  private boolean verify;

  @Option(names = "--json", paramLabel = "FILE", description = "write the result as JSON")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "write one self-contained page")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Scenario scenario;
    Target target;
    try {
      scenario = scenario();
      target = new Target(endpoint, new RequestSigner.Keys(accessKey, secretKey, region), verify);
    } catch (ScenarioException | IllegalArgumentException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 2;
    }
    if (seedObjects) {
      new ObjectSeeder(target, InstantSource.system()).seed(scenario);
    }
    Recording recording;
    try (var client = new LoadClient(scenario.connections().threads(), InstantSource.system());
        var progress = new ProgressBar(scenario.timing().duration(), System.console())) {
      recording = client.run(scenario, target, progress);
    } catch (IllegalStateException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    Origin origin = Origin.here(InstantSource.system().instant(), arguments());
    var report = new RunReport(scenario, endpoint.toString(), recording, origin);
    spec.commandLine().getOut().println(report.text());
    if (json != null) {
      Files.writeString(json, Json.text(report.asMap()));
    }
    if (html != null) {
      Files.writeString(html, report.html());
    }
    return recording.failed() ? 1 : 0;
  }

  private Scenario scenario() throws IOException, ScenarioException {
    Scenario read =
        file == null ? ScenarioLoader.parse("default", "name: default") : ScenarioLoader.load(file);
    var timing = read.timing();
    Duration warm = warmup == null ? timing.warmup() : Quantity.duration(warmup);
    Duration length = duration == null ? timing.duration() : Quantity.duration(duration);
    Scenario timed = read.lasting(warm, length);
    if (rate != null) {
      var poisson = new ArrivalSchedule.Poisson(rate, read.seed());
      timed = timed.arriving(new Arrivals.Open(poisson));
    }
    if (connections != null) {
      Connections old = timed.connections();
      int threads = Math.min(old.threads(), connections);
      timed = timed.over(new Connections(connections, old.http(), old.streams(), threads));
    }
    return timed;
  }

  private List<String> arguments() {
    List<String> all = new ArrayList<>();
    boolean hide = false;
    for (String argument : spec.commandLine().getParent().getParseResult().originalArgs()) {
      all.add(hide ? "***" : argument.replaceFirst("^(--secret-key=).*", "$1***"));
      hide = argument.equals("--secret-key");
    }
    return all;
  }
}
