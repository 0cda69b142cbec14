package io.penstock.gateway.app.cli;

import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.store.LocalModel;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What can be found out about a network before it is used. */
@Command(
    name = "model",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Look at a network in an ONNX file: where it can be divided, and what that costs.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock model inspect examples/models/mobilenet_v2.onnx",
      "  ./penstock model profile examples/models/mobilenet_v2.onnx --bandwidth 100 --plot plot.html"
    },
    subcommands = {
      ModelCommand.Inspect.class,
      ModelCommand.Cuts.class,
      ModelProfileCommand.class,
      ModelCommand.Split.class
    })
final class ModelCommand implements Runnable {
  @Mixin
  @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; for --help
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** Opens {@code file} for {@code use}; a refusal is the command's failure. */
  static <R> R with(Path file, Function<LocalModel, R> use) {
    try (LocalModel model = LocalModel.open(file)) {
      return use.apply(model);
    } catch (ModelException e) {
      throw CommandFailure.reported(e);
    }
  }

  static String kib(long bytes) {
    return String.format(Locale.ROOT, "%,.1f KiB", bytes / 1024.0);
  }

  static String shape(Cut cut) {
    return cut.spec().dtype().text() + " " + cut.spec().shape();
  }

  /** What the model is. */
  @Command(
      name = "inspect",
      description = "Check a model as the gateway would, and print what it is.",
      footerHeading = "%nExample:%n",
      footer = "  ./penstock model inspect examples/models/mobilenet_v2.onnx")
  static final class Inspect implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The model, ONNX.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
    private CommonOptions common;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
      String facts = with(file, Inspect::facts);
      spec.commandLine().getOut().print(facts);
      spec.commandLine().getOut().flush();
      return ExitCodes.DONE;
    }

    private static String facts(LocalModel local) {
      FrozenModel model = local.model();
      Cut output = model.cuts().getLast();
      LocalModel.Extent extent = local.extent();
      return new TextTable()
          .row("model", model.id().name())
          .row("sha256", model.id().sha256())
          .row("input", shape(model.cuts().getFirst()))
          .row("output", shape(output))
          .row("operators", String.valueOf(extent.nodes()))
          .row("weights", kib(extent.weightBytes()))
          .row("workspace", kib(output.workspaceBytes()) + " a sample")
          .row("separating tensors", String.valueOf(local.places()))
          .row("cuts", String.valueOf(model.cuts().size()))
          .format();
    }
  }

  /** Where it can be divided. */
  @Command(
      name = "cuts",
      description = "List every place where the model can be divided, from input to output.",
      footerHeading = "%nExample:%n",
      footer = "  ./penstock model cuts examples/models/mobilenet_v2.onnx")
  static final class Cuts implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The model, ONNX.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
    private CommonOptions common;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
      String cuts = with(file, local -> table(local.model()));
      spec.commandLine().getOut().print(cuts);
      spec.commandLine().getOut().flush();
      return ExitCodes.DONE;
    }

    private static String table(FrozenModel model) {
      var table =
          new TextTable().row("cut", "made by", "a sample", "bytes", "weights before", "workspace");
      for (Cut cut : model.cuts()) {
        table.row(
            cut.name(),
            cut.isInput() ? "(input)" : cut.op(),
            shape(cut),
            kib(cut.bytesPerSample()),
            kib(cut.weightBytes()),
            kib(cut.workspaceBytes()));
      }
      return table.format();
    }
  }

  /** Writes the parts. */
  @Command(
      name = "split",
      description = "Divide a model at a cut and write the parts as models of their own.",
      footerHeading = "%nExample:%n",
      footer = {
        "  ./penstock model split examples/models/mobilenet_v2.onnx --at CUT --suffix head.onnx",
        "  (./penstock model cuts FILE lists the cuts)"
      })
  static final class Split implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The model, ONNX.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--at", required = true, paramLabel = "CUT", description = "Name of the cut.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String at;

    @Option(names = "--prefix", paramLabel = "FILE", description = "Write the part before the cut.")
    private Optional<Path> prefix = Optional.empty();

    @Option(names = "--suffix", paramLabel = "FILE", description = "Write the part after the cut.")
    private Optional<Path> suffix = Optional.empty();

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // set by picocli; read on failure
    private CommonOptions common;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
      if (prefix.isEmpty() && suffix.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "name --prefix, --suffix or both");
      }
      return with(
          file,
          local -> {
            FrozenModel model = local.model();
            Cut cut = model.cut(at);
            prefix.ifPresent(path -> write(path, channel -> model.writePrefix(cut, channel)));
            suffix.ifPresent(path -> write(path, channel -> model.writeSuffix(cut, channel)));
            return ExitCodes.DONE;
          });
    }

    /** Whole or not at all: written beside, then renamed. */
    private void write(Path path, Function<FileChannel, Long> part) {
      Path beside = path.resolveSibling(path.getFileName() + ".part");
      try {
        long bytes;
        try (FileChannel channel =
            FileChannel.open(
                beside,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
          bytes = part.apply(channel);
        }
        Files.move(beside, path, StandardCopyOption.REPLACE_EXISTING);
        spec.commandLine().getOut().println(path + ": " + kib(bytes));
      } catch (IOException e) {
        throw CommandFailure.failed("cannot write " + path, e);
      } finally {
        beside.toFile().delete();
      }
    }
  }
}
