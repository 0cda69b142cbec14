package io.penstock.gateway.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.http1.Http1ServerConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client connections of one event loop: which are idle since when, and which requests they
 * carry. {@link #sweep} runs every second and ends what waits too long: idle connections, heads and
 * bodies that do not come, clients that do not read. One sweep replaces a timer for every request.
 *
 * <p>Threading: one event loop.
 */
final class Connections {
  /** Above every body window: what bounds a response is the memory it holds, not this. */
  private static final WriteBufferWaterMark WATERMARK =
      new WriteBufferWaterMark(512 << 10, 1 << 20);

  private final Map<HttpConnection, State> states = new HashMap<>();
  private final long idleNanos;
  private final long readNanos;

  Connections(Duration idleTimeout, Duration readTimeout) {
    this.idleNanos = idleTimeout.toNanos();
    this.readNanos = readTimeout.toNanos();
  }

  private static final class State {
    final @Nullable BodyTap tap;
    final Map<ClientExchange, Boolean> active = new HashMap<>(2);
    boolean wentAway;
    long idleSince = System.nanoTime();

    State(@Nullable BodyTap tap) {
      this.tap = tap;
    }
  }

  void opened(HttpConnection connection) {
    takeOverIdling(connection);
    State state = new State(install(connection));
    states.put(connection, state);
    connection.closeHandler(
        _ -> {
          states.remove(connection);
          for (ClientExchange exchange : java.util.List.copyOf(state.active.keySet())) {
            exchange.connectionClosed();
          }
        });
  }

  /** Vert.x's own watch would end a connection whose request waits for a slow store. */
  private static void takeOverIdling(HttpConnection connection) {
    if (connection instanceof ConnectionBase base
        && base.channel().pipeline().get(IdleStateHandler.class) != null) {
      base.channel().pipeline().remove(IdleStateHandler.class);
    }
  }

  /** HTTP/1.1 bodies are taken before Vert.x copies them. */
  private static @Nullable BodyTap install(HttpConnection connection) {
    if (!(connection instanceof Http1ServerConnection http1)) {
      return null;
    }
    http1.channel().config().setWriteBufferWaterMark(WATERMARK);
    BodyTap tap = new BodyTap();
    http1.channel().pipeline().addBefore("handler", "body-tap", tap);
    return tap;
  }

  @Nullable BodyTap tap(HttpConnection connection) {
    State state = states.get(connection);
    return state == null ? null : state.tap;
  }

  void begun(HttpConnection connection, ClientExchange exchange) {
    State state = states.get(connection);
    if (state != null) {
      state.active.put(exchange, true);
    }
  }

  void ended(HttpConnection connection, ClientExchange exchange) {
    State state = states.get(connection);
    if (state != null) {
      state.active.remove(exchange);
      state.idleSince = System.nanoTime();
    }
  }

  int open() {
    return states.size();
  }

  int active() {
    int active = 0;
    for (State state : states.values()) {
      active += state.active.size();
    }
    return active;
  }

  /** Ends what has waited too long at {@code now} ({@link System#nanoTime}). */
  void sweep(long now) {
    for (var entry : java.util.List.copyOf(states.entrySet())) {
      State state = entry.getValue();
      if (state.active.isEmpty()) {
        if (now - state.idleSince > idleNanos) {
          entry.getKey().close();
        }
      } else if (state.tap != null && state.tap.holdsBack() && Departure.of(entry.getKey())) {
        abort(entry.getKey());
      } else {
        for (ClientExchange exchange : java.util.List.copyOf(state.active.keySet())) {
          exchange.checkPatience(now, readNanos);
        }
      }
    }
  }

  /** Closes connections that carry no request and have carried none for {@code quietNanos}. */
  void closeIdle(long now, long quietNanos) {
    for (var entry : java.util.List.copyOf(states.entrySet())) {
      State state = entry.getValue();
      if (entry.getKey().protocolVersion() == HttpVersion.HTTP_2 && !state.wentAway) {
        state.wentAway = true;
        entry.getKey().shutdown(1, TimeUnit.HOURS);
      }
      if (state.active.isEmpty() && now - state.idleSince > quietNanos) {
        entry.getKey().close();
      }
    }
  }

  /**
   * Ends a connection with a reset instead of an orderly close, so that no reader takes what it has
   * for the whole.
   */
  static void abort(@Nullable HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      base.channel().config().setOption(ChannelOption.SO_LINGER, 0);
      // Vert.x's handler would first wait for the client to take what is being written
      ChannelHandlerContext nearest = base.channel().pipeline().firstContext();
      ChannelFuture _ = nearest == null ? base.channel().close() : nearest.close();
    } else if (connection != null) {
      connection.close();
    }
  }
}
