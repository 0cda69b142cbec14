package io.penstock.gateway.app.cli;

import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.split.Candidate;
import io.penstock.dpu.transform.split.Estimate;
import io.penstock.dpu.transform.split.NetworkProfile;
import io.penstock.dpu.transform.split.Split;
import io.penstock.dpu.transform.split.SplitDecision;
import io.penstock.dpu.transform.split.SplitPlanner;
import io.penstock.dpu.transform.split.Surroundings;
import io.penstock.dpu.transform.store.LayerCost;
import io.penstock.dpu.transform.store.LocalModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Times a network's layers on this machine and predicts what an epoch takes at each cut. */
@Command(
    name = "profile",
    description = {
      "Time every layer of a model on one core of this machine, and predict the epoch at each cut.",
      "The layers are measured; link, objects and consumer are what you say they are."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock model profile examples/models/mobilenet_v2.onnx --bandwidth 100",
      "  ./penstock model profile net.onnx --bandwidth 1000 --consumer 50 --plot plot.html"
    })
final class ModelProfileCommand implements Callable<Integer> {
  private static final double DECODE_SECONDS = 1.0 / 1900;

  @Parameters(paramLabel = "FILE", description = "The model, ONNX.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--bandwidth",
      paramLabel = "MBPS",
      defaultValue = "1000",
      description = "Megabits per second to the consumer (${DEFAULT-VALUE}).")
  private double bandwidth;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Cores of the gateway for it (${DEFAULT-VALUE}).")
  private double threads;

  @Option(
      names = "--consumer",
      paramLabel = "SPEED",
      defaultValue = "20",
      description = "How many such cores the consumer's training is worth (${DEFAULT-VALUE}).")
  private double consumer;

  @Option(
      names = "--object-bytes",
      paramLabel = "BYTES",
      defaultValue = "133120",
      description = "An average stored picture (${DEFAULT-VALUE}).")
  private long objectBytes;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Samples of an epoch (${DEFAULT-VALUE}).")
  private long samples;

  @Option(
      names = "--batch",
      paramLabel = "B",
      defaultValue = "128",
      description = "Samples of a training batch (${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--frozen",
      paramLabel = "CUT",
      description = "The last cut whose layers are frozen; left out, the last but the output.")
  private Optional<String> frozen = Optional.empty();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each layer, the best counts (${DEFAULT-VALUE}).")
  private int runs;

  @Option(names = "--plot", paramLabel = "FILE", description = "Write a page with a plot (HTML).")
  private Optional<Path> plot = Optional.empty();

  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    if (bandwidth <= 0 || threads <= 0 || consumer <= 0 || samples < 1 || batch < 1 || runs < 1) {
      throw new ParameterException(spec.commandLine(), "every figure must be more than 0");
    }
    return ModelCommand.with(file, this::report);
  }

  private int report(LocalModel local) {
    List<LayerCost> layers = local.profile(runs);
    SplitDecision decision = decide(local, layers);
    List<ProfileRow> rows = rows(local, layers, decision);
    var table = new TextTable().row("cut", "made by", "ms", "bytes", "epoch s", "");
    double longest = rows.stream().mapToDouble(ProfileRow::epochSeconds).max().orElse(1);
    for (ProfileRow row : rows) {
      table.row(
          row.name(),
          row.op(),
          String.format(Locale.ROOT, "%.2f", row.milliseconds()),
          ModelCommand.kib(row.bytes()),
          String.format(Locale.ROOT, "%.0f", row.epochSeconds()),
          "#".repeat((int) Math.ceil(20 * row.epochSeconds() / longest)));
    }
    spec.commandLine().getOut().print(table.format());
    spec.commandLine().getOut().println("\n" + decision.reason());
    plot.ifPresent(
        path ->
            write(path, ProfilePage.of(local.model().id().toString(), decision.reason(), rows)));
    return ExitCodes.DONE;
  }

  private SplitDecision decide(LocalModel local, List<LayerCost> layers) {
    List<NetworkProfile.Layer> profiled = new ArrayList<>();
    for (LayerCost layer : layers) {
      Cut cut = layer.cut();
      profiled.add(
          new NetworkProfile.Layer(
              cut.name(),
              layer.seconds(),
              cut.bytesPerSample(),
              cut.workspaceBytes(),
              layer.weightBytes()));
    }
    long pixels = local.model().input().bytesPerSample();
    List<Candidate> candidates =
        new NetworkProfile(profiled, frozenLayers(layers))
            .candidates(
                new NetworkProfile.Source(objectBytes, pixels, DECODE_SECONDS),
                new NetworkProfile.Consumer(consumer, DECODE_SECONDS / consumer, 0));
    Surroundings around =
        new Surroundings(
            new Surroundings.Links(1.25e9, bandwidth * 125_000),
            threads,
            Long.MAX_VALUE / 2,
            new Surroundings.Work(samples, batch, objectBytes, 1));
    return SplitPlanner.plan(candidates, around);
  }

  private int frozenLayers(List<LayerCost> layers) {
    if (frozen.isEmpty()) {
      return layers.size() - 1;
    }
    OptionalInt index =
        java.util.stream.IntStream.range(0, layers.size())
            .filter(i -> layers.get(i).cut().name().equals(frozen.get()))
            .findFirst();
    return 1
        + index.orElseThrow(
            () ->
                CommandFailure.failed(
                    "no cut is called " + frozen.get() + "; ./penstock model cuts lists them"));
  }

  private static List<ProfileRow> rows(
      LocalModel local, List<LayerCost> layers, SplitDecision decision) {
    List<ProfileRow> rows = new ArrayList<>();
    if (!(decision instanceof SplitDecision.Chosen chosen)) {
      return rows;
    }
    chosen
        .estimateOf(new Split.Raw())
        .ifPresent(e -> rows.add(row("(objects as they are)", "", 0, e, chosen)));
    chosen
        .estimateOf(new Split.Pixels())
        .ifPresent(
            e -> rows.add(row(local.model().cuts().getFirst().name(), "(input)", 0, e, chosen)));
    for (LayerCost layer : layers) {
      Cut cut = layer.cut();
      chosen
          .estimateOf(new Split.After(cut.name()))
          .ifPresent(e -> rows.add(row(cut.name(), cut.op(), layer.seconds() * 1e3, e, chosen)));
    }
    return rows;
  }

  private static ProfileRow row(
      String name, String op, double milliseconds, Estimate estimate, SplitDecision.Chosen chosen) {
    return new ProfileRow(
        name,
        op,
        milliseconds,
        estimate.candidate().bytes(),
        estimate.seconds(),
        estimate.equals(chosen.estimate()));
  }

  private static void write(Path path, String page) {
    try {
      Files.writeString(path, page);
    } catch (IOException e) {
      throw CommandFailure.failed("cannot write " + path, e);
    }
  }
}
