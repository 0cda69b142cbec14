package io.penstock.gateway.exchange;

import io.penstock.gateway.http.BodyStream;

/**
 * The raw body of a request as it comes from the client, framing included. Starting it answers
 * {@code Expect: 100-continue}.
 *
 * <p>Threading: the event loop of the exchange.
 */
public interface ClientBody extends BodyStream {

  /** Whether the client announced a body at all. */
  boolean present();

  /** Whether every byte has arrived (true also without a body). */
  boolean complete();

  /** Bytes taken from the client so far. */
  long bytesRead();
}
