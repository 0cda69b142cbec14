package io.penstock.gateway.http;

import io.netty.buffer.ByteBuf;

/**
 * A body on its way: buffers in order, then exactly one of {@link Sink#end} and {@link
 * Sink#failed}.
 *
 * <p>A stream starts paused and delivers nothing before {@link #start}. After {@link #pause}
 * returns no further buffer arrives until {@link #resume}; whatever the source has already received
 * is kept, and the source stops reading its socket. {@link #cancel} may be called at any time, also
 * before {@link #start} and more than once: it releases everything held, tells the source (an
 * upstream connection is reset, a client connection stops being read), and no callback follows.
 *
 * <p>Threading: every call and every callback on the event loop that owns the stream.
 *
 * <p>Ownership: a buffer passed to {@link Sink#data} belongs to the sink, which releases it exactly
 * once.
 */
public interface BodyStream {

  /** Exact number of bytes that will be delivered, or -1 if it is not known before the end. */
  long length();

  /** Begins delivery; called once. The stream is resumed by this call. */
  void start(Sink sink);

  void pause();

  void resume();

  void cancel();

  /** Where the buffers go. */
  interface Sink {
    /** The next bytes; {@code buffer} is never empty and now belongs to the callee. */
    void data(ByteBuf buffer);

    /** All bytes were delivered and every check of the stream passed. */
    void end();

    /** The stream broke; the bytes so far must not be taken for the whole. */
    void failed(Throwable cause);
  }
}
