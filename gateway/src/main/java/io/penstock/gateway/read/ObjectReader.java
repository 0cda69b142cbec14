package io.penstock.gateway.read;

import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/**
 * Answers a GET of an object, or of a range of it: the one way of every read, whoever asks.
 *
 * <p>Threading: the event loop of the fetcher.
 */
public final class ObjectReader {
  private final ObjectFetcher fetcher;

  public ObjectReader(ObjectFetcher fetcher) {
    this.fetcher = fetcher;
  }

  /** Succeeds with the head of the response; fails as the fetcher fails. */
  public Future<UpstreamResponse> read(UpstreamRequest get) {
    return fetcher.fetch(get);
  }
}
