package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.BodyStream;

/**
 * Turns the raw body of a request into the one the client meant.
 *
 * <p>Threading: stateless.
 */
public final class PayloadStreams {
  private PayloadStreams() {}

  /**
   * {@code raw} without framing, ending well only if it is all that {@code claim} and {@code
   * expected} promise. Takes {@code raw} over.
   */
  public static VerifiedBody verified(
      BodyStream raw, PayloadClaim claim, PayloadExpectations expected) {
    return new VerifiedBody(raw, claim, expected);
  }
}
