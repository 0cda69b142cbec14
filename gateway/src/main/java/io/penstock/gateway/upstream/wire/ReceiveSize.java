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
  private final ResponseSizes responses;
  private final boolean tls;
  private int next;

  /**
   * Sizes for one connection.
   *
   * @param responses of all connections to the same store
   */
  ReceiveSize(int best, ReceiveBound bound, ResponseSizes responses, boolean tls) {
    super(1);
    this.best = best;
    this.bound = bound;
    this.responses = responses;
    this.tls = tls;
    this.next = best;
  }

  /** The next bytes are the first of a response. */
  void expectResponse() {
    expect(responses.expected());
  }

  /** A response is complete; {@code bytes} of it came over this connection. */
  void received(long bytes) {
    responses.seen(bytes);
  }

  /**
   * The next bytes are those of a body.
   *
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
