package io.penstock.sink.cli;

import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.ring.Ring;
import io.penstock.arrow.ring.RingDirectory;
import io.penstock.arrow.ring.RingHost;
import io.penstock.arrow.ring.RingWriter;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.Delivery;
import io.penstock.sink.client.BatchStream;
import io.penstock.sink.client.GatewayClient;
import io.penstock.sink.client.GatewayException;
import io.penstock.sink.client.Landing;
import io.penstock.sink.ring.RingTap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./penstock sink}: owns a ring, has a stream landed in it, serves the local ranks. */
@Command(
    name = "penstock sink",
    mixinStandardHelpOptions = true,
    description = {
      "Land a stream of batches in a ring in shared memory, where the trainers of this machine read",
      "it without a copy. Ends when the stream is over and everybody has read it."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all of the stream landed", "1:it did not", "2:wrong use"},
    footerHeading = "%nExample:%n",
    footer = {
      "  ./penstock sink --ring train --consumers 8 --bucket pictures --prefix train/ --seed 42",
      "  and in each trainer on the JVM: RingSink, see docs/sink.md"
    })
public final class SinkCommand implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  @Mixin private RequestArguments request = new RequestArguments();
  @Mixin private AddressArguments gateway = new AddressArguments();

  @Option(
      names = "--ring",
      paramLabel = "NAME",
      required = true,
      description = "What the ring is called; trainers open it by this name.")
  private String name = "";

  @Option(
      names = "--capacity-mib",
      paramLabel = "N",
      defaultValue = "256",
      description = "Shared memory of the ring (default: ${DEFAULT-VALUE}).")
  private long capacity;

  @Option(
      names = "--consumers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Trainers that get the stream from its beginning (default: ${DEFAULT-VALUE}).")
  private int consumers;

  @Option(
      names = "--via",
      paramLabel = "HOW",
      defaultValue = "auto",
      description =
          "ring: the gateway writes into the ring itself; stream: over HTTP; auto: ring if the"
              + " gateway can, else stream (default: ${DEFAULT-VALUE}).")
  private Via via = Via.auto;

  @Option(
      names = "--directory",
      paramLabel = "FOLDER",
      description = "Where rings are (default: /dev/shm/penstock-UID).")
  private @Nullable Path directory;

  @Option(
      names = "--consumer-deadline",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "A trainer that holds up a full ring for so long is cut off, with --via stream"
              + " (default: ${DEFAULT-VALUE}); else batch.ring.consumer-deadline of the gateway.")
  private long deadline;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private final Map<String, String> environment;

  /** How batches come into the ring. */
  enum Via {
    auto,
    ring,
    stream
  }

  SinkCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Runs the command and ends the JVM. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(commandLine(new SinkCommand(System.getenv()), out, err).execute(args));
  }

  static CommandLine commandLine(SinkCommand command, PrintWriter out, PrintWriter err) {
    return new CommandLine(command)
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setParameterExceptionHandler(
            (failure, _) -> {
              err.println("penstock sink: " + failure.getMessage() + "; see penstock sink --help");
              return WRONG_USE;
            })
        .setExecutionExceptionHandler(
            (failure, _, _) -> {
              err.println("penstock sink: " + failure.getMessage());
              return failure instanceof WrongUse ? WRONG_USE : FAILED;
            });
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    BatchRequest wanted = request.request();
    if (!RingDirectory.isName(name)) {
      throw new WrongUse("--ring takes 1 to 64 letters, digits, '.', '_' and '-'");
    }
    GatewayClient client =
        new GatewayClient(gateway.address(environment), gateway.options(environment));
    RingDirectory rings =
        new RingDirectory(
            directory == null ? RingDirectory.standard() : directory,
            RingHost.linux(System::nanoTime));
    CountDownLatch ended = new CountDownLatch(1);
    try (Ring ring = rings.create(name, capacity << 20, consumers)) {
      // SIGTERM: the file goes, whoever reads learns it, this thread is not waited for
      Thread hook = new Thread(() -> remove(ring), "remove-ring");
      Runtime.getRuntime().addShutdownHook(hook);
      Thread report = Thread.ofPlatform().daemon().start(() -> report(ring, ended));
      try {
        spec.commandLine().getOut().println("ring " + ring.path());
        land(client, wanted, rings);
        drain(ring);
      } finally {
        ended.countDown();
        report.join();
        unhook(hook);
      }
      spec.commandLine().getOut().println("complete: " + line(ring.progress()));
      return 0;
    }
  }

  private static void remove(Ring ring) {
    try {
      Files.deleteIfExists(ring.path());
    } catch (IOException e) {
      // the next sink removes it
    }
  }

  private static void unhook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is going down already
    }
  }

  private void land(GatewayClient client, BatchRequest wanted, RingDirectory rings)
      throws IOException {
    if (via != Via.stream) {
      try (Landing landing = client.land(into(wanted))) {
        landing.await();
        return;
      } catch (GatewayException e) {
        boolean elsewhere =
            e.code().equals("AccessDenied")
                || e.code().equals("NotImplemented")
                || e.code().equals("InvalidArgument");
        if (via == Via.ring || !elsewhere) {
          throw e;
        }
        spec.commandLine()
            .getErr()
            .println(
                "penstock sink: the gateway cannot land in this ring, so by stream: "
                    + e.getMessage());
      }
    }
    try (RingWriter writer = rings.write(name, Duration.ofSeconds(deadline));
        RootAllocator allocator = new RootAllocator();
        BatchStream stream =
            client.open(wanted, new ArrowBlockSource(allocator), new RingTap(writer))) {
      stream.forEach(batch -> batch.close());
    }
  }

  private BatchRequest into(BatchRequest wanted) {
    Delivery delivery = wanted.delivery();
    return new BatchRequest(
        wanted.bucket(),
        wanted.source(),
        wanted.decode(),
        new Delivery(
            delivery.batchSize(),
            delivery.order(),
            delivery.onError(),
            delivery.compression(),
            delivery.tensors(),
            new Delivery.Landing.Ring(name)),
        wanted.epoch(),
        wanted.transform());
  }

  /** Keeps the ring until everybody who reads, or was announced, has read all of it. */
  private static void drain(Ring ring) throws InterruptedException {
    for (Ring.Progress now = ring.progress();
        now.awaited() || (now.unread() > 0 && now.consumers() > 0);
        now = ring.progress()) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private void report(Ring ring, CountDownLatch ended) {
    try {
      while (!ended.await(1, TimeUnit.SECONDS)) {
        spec.commandLine().getErr().println(line(ring.progress()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What has passed, and what it cost this process. */
  private static String line(Ring.Progress progress) {
    double gigabytes = progress.bytes() / 1e9;
    double seconds =
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    return "%d batches, %.3f GB, %d consumers, %.3f GB unread, %.2f CPU-seconds%s"
        .formatted(
            progress.batches(),
            gigabytes,
            progress.consumers(),
            progress.unread() / 1e9,
            seconds,
            gigabytes > 0 ? " (%.3f a GB)".formatted(seconds / gigabytes) : "");
  }
}
