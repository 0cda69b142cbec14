package io.penstock.loadtest;

import io.penstock.loadtest.lab.LabReport;
import io.penstock.loadtest.lab.LabRun;
import io.penstock.loadtest.lab.bed.BedException;
import io.penstock.loadtest.lab.plan.Experiment;
import io.penstock.loadtest.lab.plan.Experiments;
import io.penstock.loadtest.lab.plan.Topology;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Origin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code loadtest lab}: the papers' experiments in three network namespaces.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    description = {
      "Play the papers' experiments: host, DPU and store in network namespaces of their own,",
      "joined by shaped links. Needs root, iproute2 and util-linux; --list shows the experiments."
    })
final class LabCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--list", description = "show the experiments and end")
  private boolean list;

  @Option(names = "--quick", description = "fewer settings, smaller epochs, two rounds")
  private boolean quick;

  @Option(
      names = "--experiment",
      split = ",",
      paramLabel = "NAME",
      description = "only these (default: all)")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--host-link",
      paramLabel = "MBIT",
      defaultValue = "20000",
      description = "Mbit/s between host and DPU (default: ${DEFAULT-VALUE})")
  private long hostLink;

  @Option(
      names = "--store-link",
      paramLabel = "MBIT",
      defaultValue = "10000",
      description = "Mbit/s between DPU and store (default: ${DEFAULT-VALUE})")
  private long storeLink;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      defaultValue = "lab.html",
      description = "the page (default: ${DEFAULT-VALUE})")
  private Path html = Path.of("lab.html");

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "lab.json",
      description = "all rounds (default: ${DEFAULT-VALUE})")
  private Path json = Path.of("lab.json");

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      Experiments.all(quick).forEach(this::describe);
      return 0;
    }
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    LabReport report;
    try (var bar = new StepBar()) {
      List<Experiment> wanted = Experiments.named(names, quick);
      Topology topology =
          new Topology(Topology.Rate.ofMegabits(hostLink), Topology.Rate.ofMegabits(storeLink));
      LabRun.Outcome outcome = new LabRun(Checkout.root("lab"), topology, bar).play(wanted);
      report = new LabReport(outcome, origin(), load);
    } catch (IllegalArgumentException | IllegalStateException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 2;
    } catch (BedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    spec.commandLine().getOut().println(report.text());
    Files.writeString(html, report.html());
    Files.writeString(json, Json.text(report.asMap()));
    spec.commandLine().getOut().println("the page: " + html + ", all rounds: " + json);
    return report.failed() ? 1 : 0;
  }

  private void describe(Experiment experiment) {
    spec.commandLine().getOut().printf("%-10s %s%n", experiment.name(), experiment.question());
  }

  private Origin origin() {
    return Origin.here(
        InstantSource.system().instant(),
        spec.commandLine().getParent().getParseResult().originalArgs());
  }
}
