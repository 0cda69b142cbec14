package io.penstock.gateway.server;

import io.penstock.dpu.transport.PeerState;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Whether a client has left whose socket is not being read, because its upload waits for the store.
 * Where that cannot be known (NIO) the upload ends when the store has been silent for {@code
 * upstream.pool.response-timeout}.
 */
final class Departure {
  private Departure() {}

  static boolean of(HttpConnection connection) {
    return connection instanceof ConnectionBase base && PeerState.hasLeft(base.channel());
  }
}
