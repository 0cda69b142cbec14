package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.TestTransport;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An event loop with a pool on it, and the way from the test's thread to both. Its allocator is its
 * own, so that {@link #close} can say exactly whether every buffer came back.
 */
final class WireLab implements AutoCloseable {
  static final PoolConfig USUAL =
      new PoolConfig(4, 8, Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(15));

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final EventLoopGroup group;
  private final EventLoop loop;
  private final WireTransport transport;
  private final List<WirePool> pools = new ArrayList<>();

  WireLab(TestTransport kind) {
    group = kind.newLoop();
    loop = group.next();
    WireTransport plain =
        WireTransport.of(
            loop,
            kind.channels(),
            (l, host) ->
                l.newSucceededFuture(
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
            ReceiveBound.NONE);
    transport =
        new WireTransport(
            loop,
            plain.channels(),
            allocator,
            plain.names(),
            plain.bound(),
            plain.receiveBytes(),
            plain.idleReadIsFree());
  }

  WireTransport transport() {
    return transport;
  }

  WirePool pool(int port, PoolConfig config) {
    return pool(port, config, UpstreamObserver.NONE);
  }

  WirePool pool(int port, PoolConfig config, UpstreamObserver observer) {
    return track(
        new WirePool(
            transport, new Endpoint(false, "127.0.0.1", port), Optional.empty(), config, observer));
  }

  /** Will be closed with the lab. */
  WirePool track(WirePool pool) {
    pools.add(pool);
    return pool;
  }

  static WireRequest get(String target) {
    return get(target, new Cancellation());
  }

  static WireRequest get(String target, Cancellation cancellation) {
    return request("GET", target, new UpstreamBody.None(), true, cancellation);
  }

  static WireRequest put(String target, UpstreamBody body) {
    return request("PUT", target, body, true, new Cancellation());
  }

  static WireRequest request(
      String method,
      String target,
      UpstreamBody body,
      boolean idempotent,
      Cancellation cancellation) {
    return new WireRequest(
        method, target, HttpFields.of("host", "store"), body, idempotent, cancellation);
  }

  /** Runs on the event loop and waits for it. */
  <T> T onLoop(Callable<T> action) throws Exception {
    try {
      return loop.submit(action).get(Gate.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  void run(Runnable action) throws Exception {
    onLoop(
        () -> {
          action.run();
          return true;
        });
  }

  Future<UpstreamResponse> send(WirePool pool, WireRequest request) throws Exception {
    return onLoop(() -> pool.send(request));
  }

  /** The response to a request that is sent now. */
  UpstreamResponse answer(WirePool pool, WireRequest request) throws Throwable {
    return await(send(pool, request));
  }

  static <T> T await(Future<T> future) throws Throwable {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(Gate.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** Starts the body and returns all of it. */
  byte[] read(UpstreamResponse response) throws Throwable {
    SinkProbe sink = new SinkProbe();
    run(() -> response.body().start(sink));
    return sink.await();
  }

  /** Closes the loop and checks that no buffer stayed behind. */
  @Override
  public void close() throws Exception {
    run(() -> pools.forEach(WirePool::close));
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
    assertThat(allocator.pinnedDirectMemory()).as("bytes of unreleased buffers").isZero();
  }
}
