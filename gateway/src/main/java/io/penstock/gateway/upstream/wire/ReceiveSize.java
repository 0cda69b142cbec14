package io.penstock.gateway.upstream.wire;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How large the next receive buffer of one connection is: as large as the transport reads best, but
 * no larger than the rest of the body, since a buffer's whole size stays taken while a slow client
 * reads its last bytes.
 *
 * <p>Threading: the connection's event loop.
 */
final class ReceiveSize extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int SMALLEST = 1024;

  private final int best;
  private final ReceiveBound bound;
  private final boolean tls;
  private int next;

  ReceiveSize(int best, ReceiveBound bound, boolean tls) {
    super(1);
    this.best = best;
    this.bound = bound;
    this.tls = tls;
    this.next = best;
  }

  /**
   * @param bytes what is known to be missing, or -1
   */
  void expect(long bytes) {
    if (bytes < 0 || bytes >= best) {
      next = best;
    } else {
      // a TLS record of up to 16 KiB carries 22 to 40 bytes more
      long onWire = tls ? bytes + bytes / 256 + 512 : bytes;
      next = (int) Math.min(best, Math.max(SMALLEST, onWire));
    }
  }

  @Override
  @SuppressWarnings("deprecation") // the interface still returns the old handle type
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return Math.max(SMALLEST, bound.atMost(next));
      }
    };
  }
}
