package io.penstock.gateway.app.cli;

import io.penstock.config.Secret;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreException;
import io.penstock.gateway.embedded.StoreOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The embedded store alone, until a signal ends it. */
@Command(
    name = "store",
    description = {
      "Run a small S3 store, for trying things out and for tests.",
      "When it serves it prints one line on stdout: ready s3=URL"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:ended by SIGTERM or Ctrl-C", "1:could not start", "2:wrong use"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./penstock store --memory --access-key demo --secret-key demo-secret",
      "  ./penstock store --port 8333 --dir /var/tmp/objects --access-key demo --secret-key demo-secret"
    })
final class StoreCommand implements Callable<Integer> {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).",
      defaultValue = "127.0.0.1")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = PortConverter.class,
      description = "Port to listen on; 0 is any free one (default: ${DEFAULT-VALUE}).",
      defaultValue = "8333")
  private int port;

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Place place;

  @Option(
      names = "--access-key",
      paramLabel = "KEY",
      required = true,
      description = "The access key that clients sign with.")
  private String accessKey = "";

  @Option(
      names = "--secret-key",
      paramLabel = "SECRET",
      required = true,
      defaultValue = "${env:PENSTOCK_STORE_SECRET_KEY}",
      description = "Its secret; better given as environment variable PENSTOCK_STORE_SECRET_KEY.")
  private String secretKey = "";

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommonOptions common;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  static final class Place {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        required = true,
        description = "Keep objects as files below this directory; made if missing.")
    private @Nullable Path directory;

    @Option(
        names = "--memory",
        required = true,
        description = "Keep objects in memory; they are gone when the store ends.")
    @SuppressWarnings("UnusedVariable") // its presence alone chooses memory
    private boolean memory;
  }

  @Override
  public Integer call() throws InterruptedException {
    common.logNormally();
    var options =
        new StoreOptions(
            host, port, Optional.ofNullable(place.directory), accessKey, new Secret(secretKey));
    try (EmbeddedStore store = EmbeddedStore.start(options)) {
      spec.commandLine().getOut().println("ready s3=" + store.endpoint());
      TerminationSignal.await();
    } catch (StoreException e) {
      throw CommandFailure.reported(e);
    }
    return ExitCodes.DONE;
  }
}
