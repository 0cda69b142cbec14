package io.penstock.gateway.upstream;

import io.penstock.gateway.sigv4.SigV4Signer;
import io.vertx.core.Future;

/**
 * Stands where {@link SigningChannel} does, before a store that is asked without keys: no field of
 * a signature goes out, neither ours nor the client's.
 *
 * <p>Threading: the event loop of the channel inside.
 */
final class AnonymousChannel implements UpstreamChannel {
  private final HttpChannel next;

  AnonymousChannel(HttpChannel next) {
    this.next = next;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    try {
      Addressing.Address address = next.address(request.target());
      return next.send(
          address, request, SigV4Signer.unsigned(address.host(), request.fields()).build());
    } catch (IllegalArgumentException e) {
      // a name that has no encoding; every try would fail alike
      return Future.failedFuture(e);
    }
  }

  @Override
  public String toString() {
    return "Anonymous(" + next + ")";
  }
}
