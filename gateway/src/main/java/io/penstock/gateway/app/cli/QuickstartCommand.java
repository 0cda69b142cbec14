package io.penstock.gateway.app.cli;

import io.penstock.config.Secret;
import io.penstock.gateway.app.RunningGateway;
import io.penstock.gateway.app.cli.QuickstartReport.Measured;
import io.penstock.gateway.app.cli.QuickstartReport.Row;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreException;
import io.penstock.gateway.embedded.StoreOptions;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/** A store and a gateway in this process, and a proof with real photographs that they work. */
@Command(
    name = "quickstart",
    description = {
      "Try it: start a store and a gateway in front of it on this machine, upload real photographs"
          + " through the gateway, read them back, compare every byte and print what was measured.",
      "Then the stack stays up for your own client until Ctrl-C."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every byte came back; ended by --once, Ctrl-C or SIGTERM",
      "1:something did not start, a request failed, or a byte came back different",
      "2:wrong use"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock quickstart --once",
      "  ./penstock quickstart --port 9000 --dir /var/tmp/objects",
      "  ./penstock quickstart --once --pictures ~/Pictures --objects 2000"
    })
final class QuickstartCommand implements Callable<Integer> {
  private static final String BUCKET = "pictures";
  private static final int CLIENTS = 4;
  private static final int WARM_UP_OBJECTS = 90;
  private static final int SHARDS = 4;
  private static final int SHARD_BYTES = 8 << 20;

  @Option(names = "--once", description = "End after the table instead of staying up.")
  private boolean once;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = PortConverter.class,
      defaultValue = "0",
      description = "The gateway's S3 port; 0 is any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      converter = PortConverter.class,
      defaultValue = "0",
      description = "The port of health and metrics (default: ${DEFAULT-VALUE}).")
  private int adminPort;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Keep the store's objects below this directory (default: in memory).")
  private @Nullable Path directory;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "auto, io_uring, epoll or nio (default: ${DEFAULT-VALUE}).")
  private String transport = "";

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "270",
      description = "How many photographs to send (default: ${DEFAULT-VALUE}).")
  private int objects;

  @Option(
      names = "--pictures",
      paramLabel = "DIR",
      defaultValue = "${sys:penstock.home:-.}/examples/pictures",
      description = "Where the JPEGs are (default: examples/pictures of this repository).")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path pictures;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    common.logLittle();
    if (objects < 1) {
      throw new ParameterException(spec.commandLine(), "--objects must be at least 1");
    }
    List<Photograph> photographs = Photograph.in(pictures);
    var progress =
        new ProgressLine(spec.commandLine().getErr(), Boolean.getBoolean("penstock.terminal"));
    var starting = progress.phase("starting a store and a gateway");
    try (EmbeddedStore store = EmbeddedStore.start(storeOptions())) {
      RunningGateway gateway =
          Gateways.start(QuickstartConfig.of(store, port, adminPort, transport));
      try {
        starting.end();
        Measured measured = measure(gateway.s3(), photographs, progress);
        show(measured, gateway, store);
      } finally {
        Gateways.close(gateway);
      }
    } catch (StoreException e) {
      throw CommandFailure.reported(e);
    }
    return ExitCodes.DONE;
  }

  private StoreOptions storeOptions() {
    return new StoreOptions(
        "127.0.0.1", 0, Optional.ofNullable(directory), "store", new Secret("store-secret"));
  }

  private Measured measure(URI gateway, List<Photograph> photographs, ProgressLine progress)
      throws InterruptedException {
    Shipment small = Shipment.photographs(photographs, objects);
    Shipment large = Shipment.shards(photographs, SHARDS, SHARD_BYTES);
    try (S3Client s3 =
        QuickstartClient.connect(
            gateway, QuickstartConfig.ACCESS_KEY, new Secret(QuickstartConfig.SECRET_KEY))) {
      s3.createBucket(b -> b.bucket(BUCKET));
      var trip = new RoundTrip(s3, BUCKET, CLIENTS);
      // the first requests of a JVM measure its compiler
      trip.run(Shipment.warmUp(photographs, WARM_UP_OBJECTS), progress);
      List<Row> rows =
          List.of(
              new Row(small, trip.run(small, progress)), new Row(large, trip.run(large, progress)));
      return new Measured(rows, batch(gateway, small, progress));
    } catch (SdkException e) {
      throw CommandFailure.failed("the gateway refused the first request", e);
    }
  }

  private static BatchTrip.Result batch(URI gateway, Shipment shipment, ProgressLine progress)
      throws InterruptedException {
    var trip =
        new BatchTrip(
            gateway, QuickstartConfig.ACCESS_KEY, new Secret(QuickstartConfig.SECRET_KEY));
    // the first pictures of a JVM load the decoder
    List<Shipment.Parcel> first =
        shipment.parcels().subList(0, Math.min(9, shipment.parcels().size()));
    trip.run(BUCKET, first, progress.phase("loading the picture decoder"));
    return trip.run(BUCKET, shipment.parcels(), progress.phase("fetching one batch"));
  }

  private void show(Measured measured, RunningGateway gateway, EmbeddedStore store)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    String place = directory == null ? "in memory" : "in " + directory;
    var report =
        new QuickstartReport(
            measured,
            gateway.s3(),
            gateway.admin(),
            store.endpoint(),
            place,
            RuntimeSummary.of(gateway.admin()));
    out.print(report.text(BUCKET, !once));
    out.flush();
    if (!once) {
      out.println("ready s3=" + gateway.s3() + " admin=" + gateway.admin());
      TerminationSignal.await();
    }
  }
}
