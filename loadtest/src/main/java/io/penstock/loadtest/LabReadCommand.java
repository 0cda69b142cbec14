package io.penstock.loadtest;

import io.penstock.loadtest.lab.consumer.ReadOrder;
import io.penstock.loadtest.lab.consumer.ReadOrder.Mode;
import io.penstock.loadtest.lab.consumer.ReadRun;
import io.penstock.loadtest.plan.Quantity;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code loadtest lab-read}: the lab's consumer in Java, started by the lab in its own namespace.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "lab-read",
    hidden = true,
    mixinStandardHelpOptions = true,
    description =
        "Read synthetic objects singly, in batches or by epochs; prints metric NAME VALUE.")
final class LabReadCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--endpoint", required = true, split = ",", description = "where to read")
  private List<URI> endpoints = new ArrayList<>();

  @Option(names = "--mode", required = true, description = "single, batch or epoch")
  private Mode mode = Mode.SINGLE;

  @Option(names = "--connections", defaultValue = "1", description = "at the same time")
  private int connections;

  @Option(names = "--size", defaultValue = "100KiB", description = "of an object")
  private String size = "";

  @Option(names = "--items", defaultValue = "1024", description = "of a batch request or an epoch")
  private int items;

  @Option(names = "--batch", defaultValue = "64", description = "items of an Arrow batch")
  private int batch;

  @Option(names = "--first", defaultValue = "0", description = "number of the first object")
  private long first;

  @Option(names = "--warmup", defaultValue = "2s", description = "before it counts")
  private String warmup = "";

  @Option(names = "--window", defaultValue = "3s", description = "that counts")
  private String window = "";

  @Override
  public Integer call() throws InterruptedException {
    try {
      var order =
          new ReadOrder(
              endpoints,
              mode,
              connections,
              Quantity.bytes(size),
              items,
              batch,
              first,
              Quantity.duration(warmup),
              Quantity.duration(window));
      ReadRun.measure(order)
          .forEach(
              (name, value) -> spec.commandLine().getOut().println("metric " + name + " " + value));
      return 0;
    } catch (IllegalArgumentException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 2;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }
}
