package io.penstock.gateway.upstream;

import io.penstock.gateway.http.HttpFields;
import io.vertx.core.Future;

/**
 * Signs each try afresh, so that a retry after a pause or with renewed credentials carries a valid
 * date and signature.
 *
 * <p>Threading: the event loop of the channel inside.
 */
final class SigningChannel implements UpstreamChannel {
  private final RegionSigners signers;
  private final BucketHomes homes;
  private final HttpChannel next;

  SigningChannel(RegionSigners signers, BucketHomes homes, HttpChannel next) {
    this.signers = signers;
    this.homes = homes;
    this.next = next;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    try {
      Addressing.Address address = next.address(request.target());
      HttpFields signed =
          signers
              .of(homes.of(request.target().bucket()).region())
              .sign(
                  request.method(),
                  address.host(),
                  address.path(),
                  address.query(),
                  request.fields(),
                  request.payloadSha256());
      return next.send(address, request, signed);
    } catch (IllegalArgumentException e) {
      // a name that has no encoding; every try would fail alike
      return Future.failedFuture(e);
    }
  }

  @Override
  public String toString() {
    return "Sign(" + next + ")";
  }
}
