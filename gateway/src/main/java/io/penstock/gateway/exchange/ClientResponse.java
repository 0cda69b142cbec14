package io.penstock.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.ResponseHead;
import io.vertx.core.Future;

/**
 * The way back to the client: one head, then bytes, then the end, or {@link #reset} at any time. An
 * answer given before the client has sent its whole body is followed by a bounded drain, so that
 * the client can read it.
 *
 * <p>Threading: the event loop of the exchange.
 *
 * <p>Ownership: {@link #write} and {@link #end} take the buffer and release it once, also when the
 * client has left.
 */
public interface ClientResponse {

  /**
   * Sets the head; it travels with the first bytes. A head that forbids a body (204, 304, HEAD) is
   * ended by {@link #end()}.
   */
  void head(ResponseHead head);

  boolean headSet();

  void write(ByteBuf buffer);

  /**
   * Whether the client keeps up: fewer than {@code limit} bytes of memory wait for it. When false,
   * stop until {@link #onWritable}.
   */
  boolean writable(long limit);

  /** Runs {@code action} once, as soon as {@link #writable} holds. */
  void onWritable(long limit, Runnable action);

  /**
   * Last bytes and end in one write; completes when the client's socket has taken them, or is gone.
   */
  Future<Void> end(ByteBuf buffer);

  /** The end alone; completes when the client's socket has taken everything, or is gone. */
  Future<Void> end();

  /**
   * Breaks the response so that the client cannot take it for complete: closes HTTP/1.1, resets the
   * HTTP/2 stream.
   */
  void reset();

  /** Bytes of the body handed over so far. */
  long bytesWritten();

  /** {@link System#nanoTime} of the first handed-over byte, or 0. */
  long firstByteNanos();
}
