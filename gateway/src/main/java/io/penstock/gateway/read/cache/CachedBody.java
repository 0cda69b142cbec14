package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation.Registration;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one version: out of the cache where they are, from another reader's fill where that is
 * about to bring them, else from the store, in which case they are kept on the way. Whoever waits
 * for a fill looks every {@link #PATIENCE} whether it moves, and fetches for itself if it does not:
 * a slow, broken or departed reader holds up nobody else.
 *
 * <p>Threading: one event loop.
 *
 * <p>Ownership: holds slices of the first blocks until they are delivered or the body is cancelled,
 * so that a write cannot take a small object away from its reader.
 */
final class CachedBody implements BodyStream {
  static final Duration PATIENCE = Duration.ofMillis(100);
  private static final int PINNED = 4;
  private static final int LOOK_AHEAD = 64;

  private final BlockCache cache;
  private final VersionFetch fetch;
  private final ObjectEntry entry;
  private final CacheObserver observer;
  private final long length;
  private final long end;
  private final ArrayDeque<ByteBuf> pinned = new ArrayDeque<>(1);
  private long position;
  private long triedOnDisk = -1;
  private @Nullable Sink sink;
  private @Nullable BodyStream upstream;
  private @Nullable Registration notice;
  private @Nullable Registration timer;
  private boolean paused = true;
  private boolean unstarted;
  private boolean waiting;
  private boolean impatient;
  private boolean stepping;
  private boolean over;

  /** The bytes {@code first} to {@code last}, both inclusive. */
  CachedBody(BlockCache cache, VersionFetch fetch, long first, long last, CacheObserver observer) {
    this.cache = cache;
    this.fetch = fetch;
    this.entry = fetch.entry();
    this.observer = observer;
    this.position = first;
    this.end = last + 1;
    this.length = end - first;
    long at = first;
    while (at < end && pinned.size() < PINNED) {
      ByteBuf slice = entry.slice(at, end);
      if (slice == null) {
        break;
      }
      pinned.add(slice);
      at += slice.readableBytes();
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink to) {
    sink = to;
    paused = false;
    step();
  }

  @Override
  public void pause() {
    paused = true;
    if (upstream != null) {
      upstream.pause();
    }
  }

  @Override
  public void resume() {
    if (sink == null || !paused || over) {
      return;
    }
    paused = false;
    BodyStream current = upstream;
    if (current != null && unstarted) {
      unstarted = false;
      current.start(new Passing());
    } else if (current != null) {
      current.resume();
    } else {
      step();
    }
  }

  @Override
  public void cancel() {
    if (over) {
      return;
    }
    finish();
    if (upstream != null) {
      upstream.cancel();
      upstream = null;
    }
  }

  private void step() {
    if (stepping) {
      return;
    }
    stepping = true;
    try {
      while (!paused && !over && !waiting && upstream == null) {
        advance();
      }
    } finally {
      stepping = false;
    }
  }

  private void advance() {
    if (position == end) {
      finish();
      Objects.requireNonNull(sink).end();
      return;
    }
    ByteBuf slice = pinned.poll();
    if (slice == null) {
      slice = entry.slice(position, end);
    }
    if (slice != null) {
      int bytes = slice.readableBytes();
      position += bytes;
      impatient = false;
      observer.served(bytes);
      Objects.requireNonNull(sink).data(slice);
      return;
    }
    Optional<Fill> fill = impatient ? Optional.empty() : fill();
    if (fill.isPresent()) {
      follow(fill.get());
    } else {
      fetch();
    }
  }

  /** Whoever is bringing the next bytes; the disk is asked once for each. */
  private Optional<Fill> fill() {
    int block = entry.blockOf(position);
    Optional<Fill> running = entry.fillOf(block);
    if (running.isPresent() || position <= triedOnDisk) {
      return running;
    }
    triedOnDisk = position;
    return cache.disk().bring(cache, entry, block, entry.blockOf(end - 1), false);
  }

  private void follow(Fill fill) {
    waiting = true;
    observer.followed();
    notice = fill.await(entry.blockOf(position), fetch.loop().executor(), this::arrived);
    look(fill, fill.progress());
  }

  private void look(Fill fill, long seen) {
    timer =
        fetch
            .loop()
            .time()
            .after(
                PATIENCE,
                () -> {
                  if (fill.progress() == seen) {
                    impatient = true;
                    arrived();
                  } else {
                    look(fill, fill.progress());
                  }
                });
  }

  /** What was awaited is here, or will not come. */
  private void arrived() {
    if (waiting && !over) {
      waiting = false;
      forgetWait();
      step();
    }
  }

  private void fetch() {
    waiting = true;
    long to = missingUntil();
    Fill fill = Fill.begin(cache, entry, position, to - 1, false);
    fetch
        .range(position, to - 1, fetch.get().cancellation())
        .onComplete(result -> fetched(result, fill));
  }

  /** Where the missing bytes end, or it is too far to say. */
  private long missingUntil() {
    int block = entry.blockOf(position);
    for (int i = 1; i <= LOOK_AHEAD && entry.start(block + i) < end; i++) {
      if (entry.has(block + i) || cache.disk().holds(entry, block + i)) {
        return entry.start(block + i);
      }
    }
    return end;
  }

  private void fetched(AsyncResult<UpstreamResponse> result, Fill fill) {
    if (result.failed()) {
      fill.finish();
      fail(result.cause());
      return;
    }
    FillingBody body = new FillingBody(result.result().body(), fill);
    if (over) {
      body.cancel();
      return;
    }
    waiting = false;
    upstream = body;
    unstarted = paused;
    if (!unstarted) {
      body.start(new Passing());
    }
  }

  private void fail(Throwable cause) {
    if (!over) {
      finish();
      Objects.requireNonNull(sink).failed(cause);
    }
  }

  private void finish() {
    over = true;
    pinned.forEach(ByteBuf::release);
    pinned.clear();
    forgetWait();
  }

  private void forgetWait() {
    if (notice != null) {
      notice.close();
      notice = null;
    }
    if (timer != null) {
      timer.close();
      timer = null;
    }
  }

  /** What comes from the store. */
  private final class Passing implements Sink {
    @Override
    public void data(ByteBuf buffer) {
      if (over) {
        buffer.release();
        return;
      }
      position += buffer.readableBytes();
      Objects.requireNonNull(sink).data(buffer);
    }

    @Override
    public void end() {
      upstream = null;
      impatient = false;
      step();
    }

    @Override
    public void failed(Throwable cause) {
      upstream = null;
      fail(cause);
    }
  }
}
