package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.cache.CacheObserver.Outcome;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers GETs from the cache where the rule of {@code docs/cache.md} allows it, else from the
 * store, and keeps what is worth keeping while it passes. The answer always is one that the store
 * itself would have given at some time after the request arrived, or within the time for which a
 * version counts as confirmed.
 *
 * <p>Threading: one event loop; shares what it reads with the readers of the others.
 */
public final class CachingReader implements AutoCloseable {
  /** How many readers in turn may fail those who wait for them. */
  private static final int TURNS = 3;

  private final ReadCache cache;
  private final Loop loop;
  private final Prefetcher prefetcher;
  private final Recall recall;

  CachingReader(ReadCache cache, Loop loop) {
    this.cache = cache;
    this.loop = loop;
    this.prefetcher = new Prefetcher(cache, loop);
    this.recall = new Recall(cache);
  }

  /**
   * One question to the store: which epoch it was asked in, and who waits for its answer.
   *
   * @param known whether the object was asked for before
   * @param planned whether the read-ahead of its entry has been told
   */
  private record Question(
      UpstreamRequest get,
      CacheableRead read,
      long epoch,
      long askedNanos,
      boolean known,
      boolean planned,
      @Nullable HeadFlight flight) {}

  /** Succeeds with the head of the response; fails as the fetcher fails. */
  public Future<UpstreamResponse> read(UpstreamRequest get) {
    Optional<CacheableRead> read = CacheableRead.of(get);
    if (read.isEmpty()) {
      cache.observer.answered(Outcome.BYPASS);
      return loop.fetcher().fetch(get);
    }
    return look(get, read.get(), TURNS);
  }

  private Future<UpstreamResponse> look(UpstreamRequest get, CacheableRead read, int turns) {
    long now = loop.time().nanoTime();
    ObjectEntry entry = cache.table.find(read.name());
    if (entry == null) {
      return recall.isPossible(read) ? recall(get, read, turns) : ask(get, read, false, turns);
    }
    Optional<Hit> possible = Hit.of(read, entry);
    if (possible.isEmpty()) {
      return ask(get, read, true, 0);
    }
    Hit hit = possible.get();
    boolean sequential = prefetcher.read(hit, get, now);
    if (!canBegin(hit)) {
      return ask(get, read, true, turns);
    }
    if (entry.age(now) < (sequential ? cache.trustNanos : cache.freshNanos)) {
      cache.observer.answered(Outcome.HIT);
      return Future.succeededFuture(answer(hit, get));
    }
    return confirm(hit, get);
  }

  /** Whether the first bytes are in memory, or are being brought there from now on. */
  private boolean canBegin(Hit hit) {
    ObjectEntry entry = hit.entry();
    int first = entry.blockOf(hit.first());
    return entry.canBegin(hit.first())
        || cache
            .blocks
            .disk()
            .bring(cache.blocks, entry, first, entry.blockOf(hit.last()), false)
            .isPresent();
  }

  /** The disk may have what memory does not know: the store says which version counts. */
  private Future<UpstreamResponse> recall(UpstreamRequest get, CacheableRead read, int turns) {
    Question question = question(get, read, true, false, null);
    return loop.fetcher()
        .fetch(recall.head(get))
        .transform(
            result -> {
              if (result.failed() && get.cancellation().isCancelled()) {
                return Future.failedFuture(result.cause());
              }
              Optional<Hit> hit =
                  Optional.ofNullable(result.result())
                      .flatMap(
                          response ->
                              recall.learn(response, read, question.epoch(), question.askedNanos()))
                      .filter(this::canBegin);
              if (hit.isEmpty()) {
                return ask(get, read, true, turns);
              }
              prefetcher.read(hit.get(), get, question.askedNanos());
              cache.observer.answered(Outcome.CONFIRMED);
              return Future.succeededFuture(answer(hit.get(), get));
            });
  }

  private UpstreamResponse answer(Hit hit, UpstreamRequest get) {
    VersionFetch fetch = new VersionFetch(loop, hit.entry(), get);
    return new UpstreamResponse(
        hit.head(cache.clock),
        new CachedBody(cache.blocks, fetch, hit.first(), hit.last(), cache.observer));
  }

  /** Asks the store for the read as it is, but only if the version is no longer the one we have. */
  private Future<UpstreamResponse> confirm(Hit hit, UpstreamRequest get) {
    CacheableRead read = hit.read();
    HttpFields fields =
        CacheableRead.keepable(get.fields())
            .without(name -> name.regionMatches(true, 0, "if-", 0, 3))
            .with("if-none-match", hit.entry().etag());
    Question question = question(get, read, true, true, null);
    return loop.fetcher()
        .fetch(VersionFetch.with(get, fields, get.cancellation()))
        .compose(
            response -> {
              if (response.head().status() != 304) {
                return changed(hit, question, response);
              }
              response.body().start(DiscardedBody.SINK);
              return confirmed(hit, question, response);
            });
  }

  private Future<UpstreamResponse> confirmed(
      Hit hit, Question question, UpstreamResponse response) {
    ObjectEntry entry = hit.entry();
    Optional<String> modified = response.head().fields().get("last-modified");
    boolean same = modified.isEmpty() || modified.equals(entry.fields().get("last-modified"));
    cache.observer.revalidated(same);
    if (!same) {
      // the same bytes were written anew, perhaps with other metadata
      cache.table.forget(entry);
    } else {
      cache.table.confirm(entry, question.epoch(), question.askedNanos());
    }
    if (!same || !entry.isCurrent()) {
      return ask(question.get(), question.read(), true, 0);
    }
    cache.observer.answered(Outcome.CONFIRMED);
    return Future.succeededFuture(answer(hit, question.get()));
  }

  private Future<UpstreamResponse> changed(Hit hit, Question question, UpstreamResponse response) {
    cache.observer.revalidated(false);
    int status = response.head().status();
    if (status < 500) {
      cache.table.forget(hit.entry());
    }
    if (!(hit.read().condition() instanceof Condition.None)) {
      // the client's own condition was left out; the store must have it
      response.body().cancel();
      return ask(question.get(), question.read(), true, 0);
    }
    cache.observer.answered(Outcome.MISS);
    return Future.succeededFuture(keep(question, response));
  }

  private Question question(
      UpstreamRequest get,
      CacheableRead read,
      boolean known,
      boolean planned,
      @Nullable HeadFlight flight) {
    long now = loop.time().nanoTime();
    long epoch = cache.table.epoch(read.name(), now);
    return new Question(get, read, epoch, now, known, planned, flight);
  }

  /**
   * The store answers.
   *
   * @param wanted whether there is, or was a moment ago, an entry of the object
   * @param turns how often this read may wait for another one's answer
   */
  private Future<UpstreamResponse> ask(
      UpstreamRequest get, CacheableRead read, boolean wanted, int turns) {
    long now = loop.time().nanoTime();
    if (cache.isNotWorthIt(read.name(), now)) {
      cache.observer.answered(Outcome.MISS);
      return loop.fetcher().fetch(get);
    }
    HeadFlight.Key key = new HeadFlight.Key(read.name(), read.first());
    HeadFlight running = cache.flights.get(key);
    if (running != null && turns > 0) {
      Promise<UpstreamResponse> later = Promise.promise();
      if (running.join(
          loop.executor(), well -> lookAgain(get, read, well ? 0 : turns - 1, later))) {
        cache.observer.followed();
        return later.future();
      }
    }
    boolean known = cache.isKnown(read.name(), now) || wanted;
    HeadFlight flight = new HeadFlight();
    HeadFlight other = cache.flights.putIfAbsent(key, flight);
    Question question = question(get, read, known, wanted, other == null ? flight : null);
    cache.observer.answered(Outcome.MISS);
    return loop.fetcher()
        .fetch(known ? keepable(get) : get)
        .transform(
            result -> {
              Future<UpstreamResponse> kept = settled(question, result);
              if (other == null) {
                cache.flights.remove(key, flight);
                flight.land(result.succeeded());
              }
              return kept;
            });
  }

  private static UpstreamRequest keepable(UpstreamRequest get) {
    return VersionFetch.with(get, CacheableRead.keepable(get.fields()), get.cancellation());
  }

  private void lookAgain(
      UpstreamRequest get, CacheableRead read, int turns, Promise<UpstreamResponse> later) {
    if (get.cancellation().isCancelled()) {
      later.fail(new UpstreamFailure.Cancelled(false));
      return;
    }
    look(get, read, turns).onComplete(later);
  }

  private Future<UpstreamResponse> settled(
      Question question, AsyncResult<UpstreamResponse> result) {
    return result.succeeded()
        ? Future.succeededFuture(keep(question, result.result()))
        : Future.failedFuture(result.cause());
  }

  /** The same response, which leaves in the cache what is worth it. */
  private UpstreamResponse keep(Question question, UpstreamResponse response) {
    CacheableRead read = question.read();
    HeadFlight flight = question.flight();
    boolean wanted = question.known() || (flight != null && flight.isFollowed());
    if (!wanted) {
      return response;
    }
    Optional<VersionHead> head = VersionHead.of(response, read.checksums());
    if (head.isEmpty() || !cache.isWorthIt(read.name(), head.get(), question.askedNanos())) {
      return response;
    }
    Optional<ObjectEntry> entry =
        cache.table.learn(read.name(), head.get(), question.epoch(), question.askedNanos());
    if (entry.isEmpty()) {
      return response;
    }
    long first = head.get().first();
    long last = head.get().last();
    if (response.head().status() == 206 && !question.planned()) {
      prefetcher.read(
          new Hit(entry.get(), read, first, last, false), question.get(), question.askedNanos());
    }
    Fill fill = Fill.begin(cache.blocks, entry.get(), first, last, false);
    return new UpstreamResponse(response.head(), new FillingBody(response.body(), fill));
  }

  /** Ends reads that no client has asked for; on the event loop. */
  @Override
  public void close() {
    prefetcher.close();
  }
}
