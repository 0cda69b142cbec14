package io.penstock.gateway.read;

import io.penstock.gateway.read.cache.CachingReader;
import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Answers a GET of an object, or of a range of it: the one way of every read, whoever asks. Out of
 * the cache where there is one that can, else from the store.
 *
 * <p>Threading: the event loop of the fetcher.
 */
public final class ObjectReader implements AutoCloseable {
  private final ObjectFetcher fetcher;
  private final Optional<CachingReader> cache;

  public ObjectReader(ObjectFetcher fetcher, Optional<CachingReader> cache) {
    this.fetcher = fetcher;
    this.cache = cache;
  }

  /** Succeeds with the head of the response; fails as the fetcher fails. */
  public Future<UpstreamResponse> read(UpstreamRequest get) {
    return cache.isPresent() ? cache.get().read(get) : fetcher.fetch(get);
  }

  /** Ends reads that no client has asked for; on the event loop. */
  @Override
  public void close() {
    cache.ifPresent(CachingReader::close);
  }
}
