package io.penstock.gateway.upstream;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.wire.WirePool;
import io.penstock.gateway.upstream.wire.WireRequest;
import io.vertx.core.Future;

/**
 * The innermost layer: one endpoint, over its pool of connections. Knows how the endpoint wants to
 * be addressed; what to sign is decided one layer out.
 *
 * <p>Threading: the event loop of its pool.
 */
final class HttpChannel {
  private final Addressing addressing;
  private final WirePool pool;
  private final String name;

  HttpChannel(String name, Addressing addressing, WirePool pool) {
    this.name = name;
    this.addressing = addressing;
    this.pool = pool;
  }

  Addressing.Address address(S3Target target) {
    return addressing.of(target);
  }

  /** Sends {@code request} to this address with these fields in place of its own. */
  Future<UpstreamResponse> send(
      Addressing.Address address, UpstreamRequest request, HttpFields signed) {
    return pool.send(
        new WireRequest(
            request.method(),
            address.target(),
            signed,
            request.body(),
            request.idempotent(),
            request.cancellation()));
  }

  @Override
  public String toString() {
    return "Http(" + name + ")";
  }
}
