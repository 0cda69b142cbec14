package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.read.plan.ReadAhead;
import io.penstock.gateway.upstream.UpstreamRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings into the cache what {@link ReadAhead} plans, several fetches at once, each of exactly the
 * version that is being read. What nobody has come for when its reader rests is let go.
 *
 * <p>Threading: one event loop.
 */
final class Prefetcher {
  /** A plan is cut into about so many fetches, each of whole blocks. */
  private static final int PIECES = 8;

  private final ReadCache cache;
  private final Loop loop;
  private final Set<Cancellation> underWay = new HashSet<>();
  private boolean closed;

  Prefetcher(ReadCache cache, Loop loop) {
    this.cache = cache;
    this.loop = loop;
  }

  /**
   * A client reads; says whether it goes on exactly where it, or at least somebody, has stopped.
   *
   * @param get the client's request
   */
  boolean read(Hit hit, UpstreamRequest get, long nowNanos) {
    if (hit.whole() || closed) {
      return false;
    }
    ObjectEntry entry = hit.entry();
    ReadAhead.Plan plan = entry.readAhead().read(hit.first(), hit.last(), nowNanos);
    if (plan.bytes() > 0) {
      cache.observer.readAhead(plan.bytes());
      bring(entry, get, plan);
      watch(entry);
    }
    return plan.sequential();
  }

  private void bring(ObjectEntry entry, UpstreamRequest get, ReadAhead.Plan plan) {
    int from = entry.blockOf(plan.from());
    int to = entry.blockOf(plan.to() - 1);
    int piece = Math.max(1, (to - from + PIECES) / PIECES);
    for (int block = from; block <= to; block += piece) {
      int last = Math.min(to, block + piece - 1);
      bring(entry, get, block, last);
    }
  }

  /** Leaves out what is here or on its way already at either end. */
  private void bring(ObjectEntry entry, UpstreamRequest get, int fromBlock, int toBlock) {
    int from = fromBlock;
    int to = toBlock;
    while (from <= to && isComing(entry, from)) {
      from++;
    }
    while (to >= from && isComing(entry, to)) {
      to--;
    }
    if (from > to) {
      return;
    }
    long first = entry.start(from);
    long last = entry.end(to) - 1;
    long epoch = cache.table.epoch(entry.name(), loop.time().nanoTime());
    long asked = loop.time().nanoTime();
    Fill fill = Fill.begin(cache.blocks, entry, first, last, true);
    Cancellation cancellation = new Cancellation();
    underWay.add(cancellation);
    new VersionFetch(loop, entry, get)
        .range(first, last, cancellation)
        .onSuccess(
            response -> {
              cache.table.confirm(entry, epoch, asked);
              new FillingBody(response.body(), fill).start(new Taking(cancellation));
            })
        .onFailure(
            _ -> {
              underWay.remove(cancellation);
              fill.finish();
              entry.readAhead().failed(first);
            });
  }

  /** Ends what is under way; nothing is read ahead any more. */
  void close() {
    closed = true;
    List.copyOf(underWay).forEach(Cancellation::cancel);
  }

  /** Reads one fetch to its end, for its fill's sake. */
  private final class Taking implements BodyStream.Sink {
    private final Cancellation cancellation;

    Taking(Cancellation cancellation) {
      this.cancellation = cancellation;
    }

    @Override
    public void data(ByteBuf buffer) {
      buffer.release();
    }

    @Override
    public void end() {
      underWay.remove(cancellation);
    }

    @Override
    public void failed(Throwable cause) {
      underWay.remove(cancellation);
    }
  }

  private boolean isComing(ObjectEntry entry, int block) {
    return entry.has(block)
        || entry.fillOf(block).isPresent()
        || cache.blocks.disk().bring(cache.blocks, entry, block, block, true).isPresent();
  }

  /** One timer an entry, for as long as it has streams. */
  private void watch(ObjectEntry entry) {
    if (entry.beginWatch()) {
      again(entry);
    }
  }

  private void again(ObjectEntry entry) {
    loop.time().after(Duration.ofNanos(ReadAhead.IDLE_NANOS), () -> rest(entry));
  }

  private void rest(ObjectEntry entry) {
    for (ReadAhead.Plan unread : entry.readAhead().rest(loop.time().nanoTime())) {
      cache.blocks.dropUnread(entry, unread.from(), unread.to());
    }
    if (entry.isCurrent() && entry.readAhead().hasStreams()) {
      again(entry);
    } else {
      entry.endWatch();
    }
  }
}
