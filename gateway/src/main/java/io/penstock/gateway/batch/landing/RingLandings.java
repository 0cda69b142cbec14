package io.penstock.gateway.batch.landing;

import io.penstock.arrow.ring.RingDirectory;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingHost;
import io.penstock.arrow.ring.RingWriter;
import io.penstock.config.BatchConfig.RingConfig;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Opens the rings of sinks on this machine, for those who may name one. Each ring that is written
 * has a thread of its own, since writing waits for consumers.
 *
 * <p>Threading: any thread.
 */
public final class RingLandings implements AutoCloseable {
  private final Supplier<RingHost> host;
  // starts the other threads: one that an event loop started would be bound to its core
  private final ThreadPoolExecutor opener = thread("ring-opener");

  /**
   * @param host asked when a ring is opened: not every machine can have one
   */
  public RingLandings(Supplier<RingHost> host) {
    this.host = host;
  }

  /** A ring that is open, and the thread that may wait for it. */
  record Opened(RingWriter writer, ThreadPoolExecutor thread) {}

  /**
   * Opens a ring for a client; fails with an {@link S3Exception} that says why it may not or cannot
   * be.
   *
   * @param peer address of the client
   * @param loop on which the future completes
   */
  Future<Opened> open(String name, String peer, RingConfig config, Executor loop) {
    if (!allowed(peer, config.peers())) {
      return Future.failedFuture(
          new S3Exception(
              S3Error.ACCESS_DENIED,
              "/landing: a ring in this machine's memory is for clients "
                  + (config.peers() == RingConfig.Peers.NONE
                      ? "of gateways that allow it"
                      : "on this machine")
                  + " (batch.ring.peers): leave it out."));
    }
    Promise<Opened> opened = Promise.promise();
    opener.execute(
        () -> {
          try {
            RingWriter writer =
                directory(config.directory()).write(name, config.consumerDeadline());
            Opened ring = new Opened(writer, thread("ring-" + name));
            loop.execute(() -> opened.complete(ring));
          } catch (IOException | RuntimeException e) {
            S3Exception failure = refusal(e);
            loop.execute(() -> opened.fail(failure));
          }
        });
    return opened.future();
  }

  private RingDirectory directory(Optional<String> configured) {
    return new RingDirectory(
        configured.map(Path::of).orElseGet(RingDirectory::standard), host.get());
  }

  /** Only an address that cannot come over a network is local. */
  static boolean allowed(String peer, RingConfig.Peers peers) {
    return switch (peers) {
      case ANY -> true;
      case NONE -> false;
      case LOCAL ->
          peer.matches("(::ffff:)?127\\.\\d+\\.\\d+\\.\\d+")
              || peer.equals("::1")
              || peer.equals("0:0:0:0:0:0:0:1");
    };
  }

  /** What a ring's failure is for the client of the request. */
  static S3Exception refusal(Exception cause) {
    if (!(cause instanceof RingException ring)) {
      return new S3Exception(
          S3Error.INVALID_ARGUMENT, "/landing/ring: it cannot be opened: " + cause.getMessage());
    }
    S3Error error =
        switch (ring.reason()) {
          case INVALID, MISSING, MALFORMED -> S3Error.INVALID_ARGUMENT;
          case TOO_LARGE, FULL -> S3Error.ENTITY_TOO_LARGE;
          case BUSY -> S3Error.PRECONDITION_FAILED;
          case PRODUCER_GONE, OWNER_GONE, NO_CONSUMERS, CUT_OFF, SILENT, CLOSED ->
              S3Error.REQUEST_TIMEOUT;
        };
    return new S3Exception(
        error, "/landing/ring: " + ring.getMessage(), Optional.<Duration>empty());
  }

  private static ThreadPoolExecutor thread(String name) {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name(name).daemon().factory());
    thread.prestartAllCoreThreads();
    return thread;
  }

  @Override
  public void close() {
    opener.shutdown();
  }
}
