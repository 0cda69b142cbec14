package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.transport.Transport;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What it costs to take bytes from a store and drop them: over the wire of this package, and over
 * Vert.x's own client. Prints CPU milliseconds per GB and per request of this process. See
 * docs/decisions/upstream-wire.md for the command and what came out.
 *
 * <p>Arguments: {@code wire|vertx} {@code nio|epoll|io_uring} URL connections GB.
 */
public final class WirePassBenchmark {
  private static final double GB = 1e9;
  private static final int CHUNK = 1 << 20;
  private static final int VERTX_RECEIVE = 256 << 10;

  private final URI uri;
  private final int connections;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private volatile long goal;
  private volatile CountDownLatch done = new CountDownLatch(0);

  private WirePassBenchmark(URI uri, int connections) {
    this.uri = uri;
    this.connections = connections;
  }

  public static void main(String[] args) throws Exception {
    Transport transport =
        switch (args[1]) {
          case "io_uring" -> Transport.IO_URING;
          case "epoll" -> Transport.EPOLL;
          default -> Transport.NIO;
        };
    WirePassBenchmark benchmark =
        new WirePassBenchmark(URI.create(args[2]), Integer.parseInt(args[3]));
    Vertx vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(1))
            .withTransport(transport)
            .build();
    Context context = vertx.getOrCreateContext();
    Runnable next = args[0].equals("wire") ? benchmark.wire(context) : benchmark.vertx(vertx);
    double gigabytes = Double.parseDouble(args[4]);
    benchmark.pass(context, next, gigabytes / 2);
    benchmark.pass(context, next, gigabytes / 2);
    long cpu = cpuNanos();
    long begun = System.nanoTime();
    benchmark.requests.set(0);
    benchmark.bytes.set(0);
    benchmark.pass(context, next, gigabytes);
    cpu = cpuNanos() - cpu;
    System.out.printf(
        "%s %s %s: %.0f ms CPU per GB, %.1f us CPU per request, %.2f GB/s%n",
        args[0],
        args[1],
        benchmark.uri.getPath(),
        cpu / 1e6 / (benchmark.bytes.get() / GB),
        cpu / 1e3 / benchmark.requests.get(),
        benchmark.bytes.get() / (double) (System.nanoTime() - begun));
    System.exit(0);
  }

  private static long cpuNanos() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  private void pass(Context context, Runnable next, double gigabytes) throws Exception {
    goal = bytes.get() + (long) (gigabytes * GB);
    done = new CountDownLatch(connections);
    for (int i = 0; i < connections; i++) {
      context.runOnContext(_ -> next.run());
    }
    done.await();
  }

  private boolean goesOn() {
    requests.incrementAndGet();
    if (bytes.get() < goal) {
      return true;
    }
    done.countDown();
    return false;
  }

  private Runnable wire(Context context) {
    WirePool pool =
        new WirePool(
            WireTransport.of(context, ReceiveBound.NONE),
            Endpoint.of(uri),
            Optional.empty(),
            new PoolConfig(
                connections,
                connections,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60)),
            UpstreamObserver.NONE);
    return new Runnable() {
      @Override
      public void run() {
        pool.send(WireLab.get(uri.getPath()))
            .onSuccess(this::take)
            .onFailure(Throwable::printStackTrace);
      }

      private void take(UpstreamResponse response) {
        response
            .body()
            .start(
                new BodyStream.Sink() {
                  @Override
                  public void data(ByteBuf buffer) {
                    bytes.addAndGet(buffer.readableBytes());
                    buffer.release();
                  }

                  @Override
                  public void end() {
                    if (goesOn()) {
                      run();
                    }
                  }

                  @Override
                  public void failed(Throwable cause) {
                    cause.printStackTrace();
                  }
                });
      }
    };
  }

  private Runnable vertx(Vertx vertx) {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setMaxChunkSize(CHUNK)
                .setReceiveBufferSize(VERTX_RECEIVE)
                .setTcpNoDelay(true),
            new io.vertx.core.http.PoolOptions().setHttp1MaxSize(connections));
    return new Runnable() {
      @Override
      public void run() {
        client
            .request(HttpMethod.GET, uri.getPort(), uri.getHost(), uri.getPath())
            .compose(request -> request.send())
            .onSuccess(
                response -> {
                  response.handler(buffer -> bytes.addAndGet(buffer.length()));
                  response.endHandler(
                      _ -> {
                        if (goesOn()) {
                          run();
                        }
                      });
                })
            .onFailure(Throwable::printStackTrace);
      }
    };
  }
}
