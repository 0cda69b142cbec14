package io.penstock.sink.client;

import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchRequestReader;
import io.penstock.arrow.wire.RequestLimits;
import io.penstock.arrow.wire.RequestResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;

/**
 * Opens streams of batches on one gateway, each on a connection of its own.
 *
 * <pre>{@code
 * var client = new GatewayClient(GatewayAddress.of(System.getenv()), ClientOptions.DEFAULT);
 * try (var stream = client.open(request, memory)) {
 *   for (ReceivedBatch batch : stream) {
 *     try (batch) {
 *       train(batch.column("tensor").tensors());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Threading: any number of threads.
 */
public final class GatewayClient {
  private final GatewayAddress address;
  private final ClientOptions options;
  private final RequestSigner signer;

  public GatewayClient(GatewayAddress address, ClientOptions options) {
    this.address = address;
    this.options = options;
    this.signer = new RequestSigner(address, Clock.systemUTC());
  }

  /**
   * The request that this text is.
   *
   * @param json a request of docs/batch-protocol.md
   * @throws GatewayException if it is none, without asking the gateway
   */
  public static BatchRequest request(String json) {
    BatchRequestReader reader = new BatchRequestReader(RequestLimits.DEFAULT);
    try {
      return switch (reader.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))) {
        case RequestResult.Accepted(BatchRequest request) -> request;
        case RequestResult.Rejected(RequestResult.RequestProblem problem) ->
            throw GatewayException.caller(
                switch (problem.kind()) {
                  case SYNTAX -> "MalformedJSON";
                  case MEANING -> "InvalidArgument";
                  case TOO_LARGE -> "EntityTooLarge";
                },
                problem.text());
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks, and waits until the first batch is on its way.
   *
   * @param memory where the batches shall lie; blocks while it has no room, and so does the gateway
   * @throws GatewayException if the gateway refuses, or cannot be reached in the tries that {@link
   *     ClientOptions} allows
   */
  public BatchStream open(BatchRequest request, BlockSource memory) {
    return open(request, memory, StreamTap.NONE);
  }

  /**
   * The same, with a tap on the bytes.
   *
   * @throws GatewayException as above
   */
  public BatchStream open(BatchRequest request, BlockSource memory, StreamTap tap) {
    BatchStream stream = new BatchStream(this, request, memory, tap);
    boolean begun = false;
    try {
      stream.schema();
      begun = true;
      return stream;
    } finally {
      if (!begun) {
        stream.close();
      }
    }
  }

  /**
   * Asks a gateway on this machine to land a stream in the ring that the request names.
   *
   * @throws GatewayException if it refuses or cannot be reached
   */
  public Landing land(BatchRequest request) {
    try {
      Wire wire = dial();
      boolean begun = false;
      try {
        Landing landing = Landing.over(wire, signer, request);
        begun = true;
        return landing;
      } finally {
        if (!begun) {
          wire.close();
        }
      }
    } catch (IOException e) {
      throw GatewayException.of(e);
    }
  }

  Wire dial() throws IOException {
    String host = address.endpoint().getHost();
    PlainWire plain = PlainWire.connect(host, address.port(), options.connect());
    boolean ready = false;
    try {
      Wire wire = address.secure() ? TlsWire.over(plain, trust(), host, address.port()) : plain;
      plain.patience(options.silence());
      ready = true;
      return wire;
    } finally {
      if (!ready) {
        plain.close();
      }
    }
  }

  private SSLContext trust() throws IOException {
    try {
      return options.tls().isPresent() ? options.tls().get() : SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no TLS", e);
    }
  }

  Connection call(Wire wire, BatchRequest request, BlockSource memory, StreamTap tap)
      throws IOException {
    return Connection.over(wire, signer, request, options, memory, tap);
  }

  RetryPolicy retries() {
    return options.retries();
  }

  /** Waits before the next try. */
  void pause(int failures) {
    try {
      Thread.sleep(options.retries().pause(failures, ThreadLocalRandom.current().nextDouble()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw GatewayException.caller("Interrupted", "the thread was interrupted while it waited");
    }
  }
}
