package io.penstock.gateway.read.fetch;

import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/**
 * Fetches an object, or a range of it, from the store. If the body breaks and the response named an
 * exact version and length, the rest is fetched over another connection.
 *
 * <p>Threading: the event loop of the channel.
 */
public final class ObjectFetcher {
  private final UpstreamChannel store;
  private final UpstreamObserver observer;

  public ObjectFetcher(UpstreamChannel store, UpstreamObserver observer) {
    this.store = store;
    this.observer = observer;
  }

  /** Succeeds with the head of the response; fails as the channel fails. */
  public Future<UpstreamResponse> fetch(UpstreamRequest get) {
    return store
        .send(get)
        .map(
            response ->
                RestOfObject.of(get, response)
                    .map(rest -> resuming(get, response, rest))
                    .orElse(response));
  }

  private UpstreamResponse resuming(
      UpstreamRequest get, UpstreamResponse response, RestOfObject rest) {
    ResumingBody body =
        new ResumingBody(rest, response.body(), store, observer, get.cancellation());
    return new UpstreamResponse(response.head(), body);
  }
}
