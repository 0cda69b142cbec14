package io.penstock.gateway.server;

import io.netty.channel.ChannelException;
import io.netty.channel.uring.IoUringSocketChannel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Whether a client has left whose socket is not being read, because its upload waits for the store.
 * Epoll tells without reading. io_uring tells only with a read, but can be asked for the state of
 * the connection. NIO cannot: there the upload ends when the store has been silent for {@code
 * upstream.pool.response-timeout}.
 */
final class Departure {
  /** {@code TCP_CLOSE} of linux/tcp_states.h: reset by the client. */
  private static final int CLOSED = 7;

  /** {@code TCP_CLOSE_WAIT}: the client has sent its last byte. */
  private static final int CLOSE_WAIT = 8;

  private Departure() {}

  static boolean of(HttpConnection connection) {
    if (connection instanceof ConnectionBase base
        && base.channel() instanceof IoUringSocketChannel channel) {
      try {
        int state = channel.tcpInfo().state();
        return state == CLOSED || state == CLOSE_WAIT;
      } catch (ChannelException _) {
        return true;
      }
    }
    return false;
  }
}
