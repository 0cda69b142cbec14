package io.penstock.dpu.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.uring.IoUringSocketChannel;

/**
 * Whether the other side of a connection has closed it, for sockets that are not being read. Epoll
 * tells without reading. io_uring tells only with a read, but can be asked for the state of the
 * connection. NIO cannot be asked.
 */
public final class PeerState {
  /** {@code TCP_CLOSE} of linux/tcp_states.h: reset by the peer. */
  private static final int CLOSED = 7;

  /** {@code TCP_CLOSE_WAIT}: the peer has sent its last byte. */
  private static final int CLOSE_WAIT = 8;

  private PeerState() {}

  /** False also where it cannot be known. One system call on io_uring, none elsewhere. */
  public static boolean hasLeft(Channel channel) {
    if (channel instanceof IoUringSocketChannel socket) {
      try {
        int state = socket.tcpInfo().state();
        return state == CLOSED || state == CLOSE_WAIT;
      } catch (ChannelException _) {
        return true;
      }
    }
    return false;
  }
}
