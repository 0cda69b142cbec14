package io.penstock.sink.cli;

import io.penstock.arrow.epoch.EpochPlan;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.sink.client.BatchStream;
import io.penstock.sink.client.GatewayClient;
import io.penstock.sink.client.GatewayException;
import io.penstock.sink.client.StreamTap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./penstock batch}: fetches a stream, shows what it holds, and stores it. */
@Command(
    name = "penstock batch",
    mixinStandardHelpOptions = true,
    description = {
      "Fetch many objects, or a rank's share of an epoch, as one stream of Arrow batches.",
      "Prints the schema and what came. A stream that breaks is resumed."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the stream came to its end; items that could not be had are counted",
      "1:it did not, or could not be written; no file is left",
      "2:wrong use"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  export AWS_ENDPOINT_URL=http://127.0.0.1:9000 AWS_ACCESS_KEY_ID=demo"
          + " AWS_SECRET_ACCESS_KEY=demo-secret",
      "  ./penstock batch --bucket pictures --prefix train/ -o train.arrows",
      "  ./penstock batch --bucket pictures --prefix train/ --seed 42 --rank 0 --world-size 8 \\",
      "    --decode '{\"as\": \"image\", \"height\": 224, \"width\": 224}'",
      "  ./penstock batch --request request.json"
    })
public final class BatchCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  @Mixin private RequestArguments request = new RequestArguments();
  @Mixin private AddressArguments gateway = new AddressArguments();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.arrows",
      description = "Store the stream, as it came, in the Arrow IPC stream format.")
  private @Nullable Path output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private final Map<String, String> environment;
  private final boolean terminal;

  BatchCommand(Map<String, String> environment, boolean terminal) {
    this.environment = environment;
    this.terminal = terminal;
  }

  /** Runs the command and ends the JVM. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    BatchCommand command =
        new BatchCommand(System.getenv(), Boolean.getBoolean("penstock.terminal"));
    System.exit(commandLine(command, out, err).execute(args));
  }

  static CommandLine commandLine(BatchCommand command, PrintWriter out, PrintWriter err) {
    return new CommandLine(command)
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setParameterExceptionHandler(
            (failure, _) -> {
              err.println(
                  "penstock batch: " + failure.getMessage() + "; see penstock batch --help");
              return WRONG_USE;
            })
        .setExecutionExceptionHandler(
            (failure, _, _) -> {
              err.println("penstock batch: " + text(failure));
              return failure instanceof WrongUse ? WRONG_USE : FAILED;
            });
  }

  private static String text(Exception failure) {
    return switch (failure) {
      case WrongUse wrong -> wrong.getMessage() + "; see penstock batch --help";
      case GatewayException refused -> String.valueOf(refused.getMessage());
      case UncheckedIOException io -> String.valueOf(io.getMessage());
      case IOException io -> io.toString();
      default -> failure + " (this is a defect; please report it)";
    };
  }

  @Override
  public Integer call() throws IOException {
    BatchRequest wanted = request.request();
    GatewayClient client =
        new GatewayClient(gateway.address(environment), gateway.options(environment));
    if (output == null) {
      fetch(client, wanted, StreamTap.NONE);
      return 0;
    }
    if (!output.toString().endsWith(".arrows")) {
      throw new WrongUse("the output is an Arrow stream: call it FILE.arrows");
    }
    try (StreamFile file = StreamFile.create(output)) {
      fetch(client, wanted, file);
      file.finish();
    }
    spec.commandLine().getOut().println("  written to           " + output);
    return 0;
  }

  private void fetch(GatewayClient client, BatchRequest wanted, StreamTap tap) {
    PrintWriter out = spec.commandLine().getOut();
    long begun = System.nanoTime();
    Tally tally = new Tally();
    try (BufferAllocator allocator = new RootAllocator();
        BatchStream stream = client.open(wanted, new ArrowBlockSource(allocator), tap)) {
      schema(out, stream.schema());
      try (ProgressBar bar =
          new ProgressBar(spec.commandLine().getErr(), terminal, rows(wanted, stream.schema()))) {
        for (ReceivedBatch batch : stream) {
          try (batch) {
            tally.add(batch);
          }
          bar.rows(tally.rows(), System.nanoTime());
        }
      }
      out.print(tally.text(Duration.ofNanos(System.nanoTime() - begun), stream.resumed()));
      out.flush();
    }
  }

  private static void schema(PrintWriter out, Schema schema) {
    out.println();
    schema
        .getFields()
        .forEach(
            field ->
                out.println(
                    "  %-20s %s%s %s"
                        .formatted(
                            field.getName(),
                            field.getType(),
                            field.isNullable() ? "" : " not null",
                            field.getMetadata().getOrDefault("ARROW:extension:metadata", ""))
                        .stripTrailing()));
    out.println();
  }

  /** How many items this stream will have, if the gateway said how many there are. */
  private static OptionalLong rows(BatchRequest request, Schema schema) {
    String items = schema.getCustomMetadata().getOrDefault("penstock.items", "");
    if (!items.matches("[0-9]{1,15}")) {
      return OptionalLong.empty();
    }
    long all = Long.parseLong(items);
    if (request.epoch().isEmpty()) {
      return OptionalLong.of(all);
    }
    EpochPlan plan =
        new EpochPlan(all, request.delivery().batchSize(), request.epoch().orElseThrow());
    return OptionalLong.of(
        plan.items() - Math.min(plan.items(), plan.firstBatch() * request.delivery().batchSize()));
  }
}
