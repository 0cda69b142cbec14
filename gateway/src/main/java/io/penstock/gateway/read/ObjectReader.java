package io.penstock.gateway.read;

import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/** Temporary. */
public record ObjectReader(UpstreamChannel upstream, UpstreamObserver observer) {
  public Future<UpstreamResponse> read(UpstreamRequest request) {
    return upstream.send(request);
  }
}
