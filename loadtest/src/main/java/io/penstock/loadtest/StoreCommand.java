package io.penstock.loadtest;

import io.penstock.loadtest.plan.Quantity;
import io.penstock.loadtest.store.Knobs;
import io.penstock.loadtest.store.StaticStore;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code loadtest store}: serves synthetic objects until it is stopped.
 *
 * <p>Threading: main thread.
 */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description = {
      "Serve synthetic objects /BUCKET/SIZE-N faster than any real store, or slowly in known ways.",
      "Prints one line on stdout when it serves: ready s3=http://HOST:PORT"
    })
final class StoreCommand implements Callable<Integer> {
  @Option(names = "--host", defaultValue = "127.0.0.1", description = "default: ${DEFAULT-VALUE}")
  private String host = "";

  @Option(names = "--port", defaultValue = "0", description = "0: any free port (default)")
  private int port;

  @Option(names = "--threads", defaultValue = "1", description = "event loops (default: 1)")
  private int threads;

  @Option(
      names = "--latency",
      defaultValue = "0ms",
      description = "wait before each answer, e.g. 20ms",
      paramLabel = "TIME")
  private String latency = "";

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "most bytes per second on one connection, e.g. 50MB (0: no limit)",
      paramLabel = "SIZE")
  private String rate = "";

  @Option(
      names = "--stall-share",
      defaultValue = "0",
      description = "share of requests that stall, e.g. 0.01",
      paramLabel = "SHARE")
  private double stallShare;

  @Option(
      names = "--stall",
      defaultValue = "1s",
      description = "how long a stalled request waits (default: 1s)",
      paramLabel = "TIME")
  private String stall = "";

  @Override
  public Integer call() throws InterruptedException {
    Duration firstByte = Quantity.duration(latency);
    var knobs = new Knobs(firstByte, Quantity.bytes(rate), stallShare, Quantity.duration(stall), 1);
    try (var store = new StaticStore(host, port, threads, knobs)) {
      System.out.println("ready s3=http://" + host + ":" + store.port());
      store.join();
    }
    return 0;
  }
}
