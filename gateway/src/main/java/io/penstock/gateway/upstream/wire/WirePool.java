package io.penstock.gateway.upstream.wire;

import io.netty.channel.EventLoop;
import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint. A call gets the connection used last (so that
 * the others can age out), or a new one while there are fewer than the limit, or waits its turn; if
 * too many wait, it is refused at once. A call whose pooled connection turns out closed, before a
 * byte of the response and where repeating is safe, goes out once more on a fresh connection.
 *
 * <p>Threading: confined to the event loop.
 */
public final class WirePool implements WireConnection.Owner, WireCall.Holder {
  private static final long TRUSTED_NANOS = Duration.ofMillis(10).toNanos();

  private final Dialer dialer;
  private final PoolConfig config;
  private final String endpoint;
  private final UpstreamObserver observer;
  private final Deque<WireConnection> idle = new ArrayDeque<>();
  private final Deque<WireCall> waiting = new ArrayDeque<>();
  private final Expiry idleExpiry;
  private final Expiry waitingExpiry;
  private int open;
  private int dialling;
  private boolean closed;

  public WirePool(
      WireTransport transport,
      Endpoint endpoint,
      Optional<WireTls> tls,
      PoolConfig config,
      UpstreamObserver observer) {
    EventLoop loop = transport.loop();
    this.dialer = new Dialer(transport, endpoint, tls, config);
    this.config = config;
    this.endpoint = endpoint.toString();
    this.observer = observer;
    this.idleExpiry = new Expiry(loop, this::nanosToOldestIdle, this::closeExpired);
    this.waitingExpiry = new Expiry(loop, this::nanosToOldestWaiting, this::failExpired);
  }

  /**
   * Sends a request; the future succeeds with the head of the response and fails with an {@link
   * UpstreamFailure}, or with {@link IllegalArgumentException} if the request cannot be put into
   * HTTP.
   */
  public Future<UpstreamResponse> send(WireRequest request) {
    if (request.cancellation().isCancelled()) {
      return Future.failedFuture(new UpstreamFailure.Cancelled(false));
    }
    if (closed) {
      return Future.failedFuture(new UpstreamFailure.Unreachable("the gateway is stopping"));
    }
    WireConnection connection = takeIdle(request);
    if (connection == null && waiting.size() >= config.maxWaiting() + dialling && !canDial()) {
      return Future.failedFuture(
          new UpstreamFailure.Overloaded(
              "%d calls wait for %d connections to %s; raise upstream.pool.max-connections or retry"
                  .formatted(waiting.size(), open, endpoint),
              Optional.of(Duration.ofSeconds(1))));
    }
    WireCall call = new WireCall(request, this);
    call.watchCancellation();
    if (connection != null) {
      connection.send(call);
    } else {
      waiting.addLast(call);
      waits();
    }
    return call.answer();
  }

  /** Calls that are under way or wait. */
  public int load() {
    return open - idle.size() + waiting.size();
  }

  /** Closes what is idle now and everything else as soon as its call is done. */
  public void close() {
    closed = true;
    List.copyOf(idle).forEach(WireConnection::close);
    failWaiting(new UpstreamFailure.Unreachable("the gateway is stopping"), _ -> true);
    idleExpiry.stop();
    waitingExpiry.stop();
  }

  @Override
  public void released(WireConnection connection) {
    if (closed) {
      connection.close();
      return;
    }
    WireCall next = nextForUsed();
    if (next != null) {
      connection.send(next);
    } else {
      makeIdle(connection);
    }
  }

  @Override
  public void closed(WireConnection connection) {
    open--;
    observer.connectionClosed(endpoint);
    if (idle.remove(connection)) {
      observer.idleChanged(endpoint, -1);
    }
    dialIfUseful();
  }

  @Override
  public void repeat(WireCall call) {
    observer.stale(endpoint);
    call.heldBy(this);
    if (closed) {
      call.failed(new UpstreamFailure.Unreachable("the gateway is stopping"));
      return;
    }
    waiting.addFirst(call);
    waits();
  }

  @Override
  public void sent(long bytes) {
    observer.sent(endpoint, bytes);
  }

  @Override
  public void received(long bytes) {
    observer.received(endpoint, bytes);
  }

  @Override
  public void cancelled(WireCall call) {
    if (waiting.remove(call)) {
      observer.waitingChanged(endpoint, -1);
    }
    call.failed(new UpstreamFailure.Cancelled(false));
  }

  private @Nullable WireConnection takeIdle(WireRequest request) {
    long now = System.nanoTime();
    for (WireConnection c = idle.pollFirst(); c != null; c = idle.pollFirst()) {
      observer.idleChanged(endpoint, -1);
      long quiet = now - c.idleSince();
      if (c.isOpen() && quiet < config.idleTimeout().toNanos() && !isStale(c, quiet, request)) {
        return c;
      }
      c.close();
    }
    return null;
  }

  /**
   * Asking is a system call. A call that can go out once more need not ask about a connection that
   * was in use a moment ago.
   */
  private static boolean isStale(WireConnection connection, long quiet, WireRequest request) {
    boolean repeatable = request.idempotent() && request.body() instanceof UpstreamBody.None;
    return (!repeatable || quiet > TRUSTED_NANOS) && connection.isLeft();
  }

  private void makeIdle(WireConnection connection) {
    idle.addFirst(connection);
    observer.idleChanged(endpoint, 1);
    connection.idle();
    idleExpiry.added();
  }

  /** A call that need not have a fresh connection. */
  private @Nullable WireCall nextForUsed() {
    for (Iterator<WireCall> calls = waiting.iterator(); calls.hasNext(); ) {
      WireCall call = calls.next();
      if (!call.isRepeated()) {
        calls.remove();
        observer.waitingChanged(endpoint, -1);
        return call;
      }
    }
    return null;
  }

  private void waits() {
    observer.waitingChanged(endpoint, 1);
    waitingExpiry.added();
    dialIfUseful();
  }

  private boolean canDial() {
    return open + dialling < config.maxConnections();
  }

  private void dialIfUseful() {
    while (dialling < waiting.size() && canDial() && !closed) {
      dialling++;
      long begun = System.nanoTime();
      dialer.dial(this).onComplete(dialled -> dialled(dialled, begun));
    }
  }

  private void dialled(AsyncResult<WireConnection> dialled, long begun) {
    dialling--;
    if (dialled.failed()) {
      observer.connectionRefused(endpoint);
      failWaiting(
          dialled.cause(), call -> call.isRepeated() || (open == 0 && isOlder(call, begun)));
      if (open + dialling == 0) {
        // whoever came meanwhile has nobody else to be woken by
        dialIfUseful();
      }
      return;
    }
    open++;
    observer.connectionOpened(endpoint, System.nanoTime() - begun);
    WireCall first = waiting.pollFirst();
    if (first != null) {
      observer.waitingChanged(endpoint, -1);
      dialled.result().send(first);
    } else {
      released(dialled.result());
    }
  }

  private static boolean isOlder(WireCall call, long nanoTime) {
    return call.created() - nanoTime <= 0;
  }

  private void failWaiting(Throwable cause, Predicate<WireCall> which) {
    List<WireCall> failed = waiting.stream().filter(which).toList();
    for (WireCall call : failed) {
      if (waiting.remove(call)) {
        observer.waitingChanged(endpoint, -1);
        call.failed(cause);
      }
    }
  }

  private long nanosToOldestIdle() {
    WireConnection oldest = idle.peekLast();
    return oldest == null
        ? Expiry.NEVER
        : oldest.idleSince() + config.idleTimeout().toNanos() - System.nanoTime();
  }

  private void closeExpired() {
    while (nanosToOldestIdle() <= 0) {
      idle.getLast().close();
    }
  }

  private long nanosToOldestWaiting() {
    return waiting.stream()
        .mapToLong(WireCall::created)
        .map(created -> created + config.responseTimeout().toNanos() - System.nanoTime())
        .min()
        .orElse(Expiry.NEVER);
  }

  private void failExpired() {
    long limit = System.nanoTime() - config.responseTimeout().toNanos();
    failWaiting(
        new UpstreamFailure.Overloaded(
            "no connection to %s became free in %s; raise upstream.pool.max-connections"
                .formatted(endpoint, config.responseTimeout()),
            Optional.of(Duration.ofSeconds(1))),
        call -> isOlder(call, limit));
  }
}
