package io.penstock.gateway.read.fetch;

import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Fetches an object, or a range of it, from the store. The request goes out as it is and its answer
 * streams. If the body breaks and the response named an exact version and length, the rest is
 * fetched over another connection; if it is large, over several at once where that is measured to
 * be faster.
 *
 * <p>Threading: the event loop of the channel.
 */
public final class ObjectFetcher {
  private final UpstreamChannel store;
  private final UpstreamObserver observer;
  private final Optional<FanOuts> fanOuts;

  /** Reads each object over one connection at a time. */
  public ObjectFetcher(UpstreamChannel store, UpstreamObserver observer) {
    this(store, observer, Optional.empty());
  }

  public ObjectFetcher(UpstreamChannel store, UpstreamObserver observer, FanOuts fanOuts) {
    this(store, observer, Optional.of(fanOuts));
  }

  private ObjectFetcher(
      UpstreamChannel store, UpstreamObserver observer, Optional<FanOuts> fanOuts) {
    this.store = store;
    this.observer = observer;
    this.fanOuts = fanOuts;
  }

  /** Succeeds with the head of the response; fails as the channel fails. */
  public Future<UpstreamResponse> fetch(UpstreamRequest get) {
    long asked = fanOuts.map(shared -> shared.timeline().nanoTime()).orElse(0L);
    return store
        .send(get)
        .map(
            response ->
                RestOfObject.of(get, response)
                    .map(rest -> new UpstreamResponse(response.head(), body(rest, response, asked)))
                    .orElse(response));
  }

  private BodyStream body(RestOfObject rest, UpstreamResponse response, long asked) {
    UpstreamRequest get = rest.get();
    ResumingBody resuming =
        new ResumingBody(rest, response.body(), store, observer, get.cancellation());
    return fanOuts
        .flatMap(shared -> fanOut(shared, rest, resuming, asked))
        .<BodyStream>map(body -> body)
        .orElse(resuming);
  }

  private Optional<FanOutBody> fanOut(
      FanOuts shared, RestOfObject rest, ResumingBody first, long asked) {
    long latency = shared.latency(shared.timeline().nanoTime() - asked);
    if (!shared.concern(rest.length())) {
      return Optional.empty();
    }
    UpstreamRequest get = rest.get();
    return Optional.of(
        new FanOutBody(
            new PartSource(rest, store, observer),
            first,
            shared,
            new FanOutTally(observer, get.operation()),
            latency,
            get.cancellation()));
  }
}
