package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.penstock.config.ByteSize;
import io.penstock.config.CacheConfig;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.read.cache.disk.DiskObserver;
import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.penstock.gateway.upstream.VirtualTimeline;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fetches that no client has asked for end with the gateway. */
class PrefetcherTest {
  private static final int BLOCK = 64 << 10;
  private static final int LENGTH = 4 << 20;
  private static final int STEP = 32 << 10;

  private final MemoryBudget budget = MemoryBudget.of(64 << 20);
  private final VirtualTimeline time = new VirtualTimeline();
  private final List<HalfBody> bodies = new ArrayList<>();
  private final ReadCache cache =
      ReadCache.of(
              new CacheConfig(
                  Optional.empty(),
                  new ByteSize(BLOCK),
                  Duration.ofHours(1),
                  Duration.ZERO,
                  16,
                  new CacheConfig.ReadAheadConfig(
                      true, new ByteSize(1 << 20), Duration.ofSeconds(1)),
                  Optional.empty()),
              budget,
              InstantSource.system(),
              time::nanoTime,
              new ReadCache.Observers(CacheObserver.NONE, DiskObserver.NONE))
          .orElseThrow();
  private final CachingReader reader =
      cache.reader(
          new Loop(new ObjectFetcher(store(), UpstreamObserver.NONE), time, Runnable::run));

  /** Brings half of its bytes, and the rest never. */
  private static final class HalfBody implements BodyStream {
    private final long length;
    private final Cancellation cancellation;
    private boolean open = true;

    HalfBody(long length, Cancellation cancellation) {
      this.length = length;
      this.cancellation = cancellation;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void start(Sink sink) {
      cancellation.onCancel(
          () -> {
            if (open) {
              open = false;
              sink.failed(new UpstreamFailure.Cancelled(true));
            }
          });
      sink.data(Unpooled.wrappedBuffer(new byte[(int) length / 2]));
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void cancel() {
      open = false;
    }
  }

  private UpstreamChannel store() {
    return get -> {
      String[] ends = get.fields().get("range").orElseThrow().substring(6).split("-", 2);
      long first = Long.parseLong(ends[0]);
      long last = Long.parseLong(ends[1]);
      HalfBody body = new HalfBody(last - first + 1, get.cancellation());
      bodies.add(body);
      HttpFields fields =
          HttpFields.EMPTY
              .with("etag", "\"v\"")
              .with("content-range", "bytes " + first + "-" + last + "/" + LENGTH);
      return Future.succeededFuture(new UpstreamResponse(new ResponseHead(206, fields), body));
    };
  }

  private UpstreamResponse read(int at) {
    HttpFields fields = HttpFields.EMPTY.with("range", "bytes=" + at + "-" + (at + STEP - 1));
    return reader
        .read(
            new UpstreamRequest(
                "GetObject",
                "GET",
                new S3Target("bkt", "key", new Query(List.of())),
                fields,
                new UpstreamBody.None(),
                "",
                true,
                new Cancellation()))
        .result();
  }

  @Test
  void closingEndsWhatIsReadAheadAndGivesItsMemoryBack() {
    read(0).body().cancel();
    read(STEP).body().cancel();
    assertThat(bodies).hasSizeGreaterThan(1).last().matches(body -> body.open);
    assertThat(budget.usage(MemoryArea.CACHE).used()).isPositive();
    reader.close();
    assertThat(bodies).noneMatch(body -> body.open);
    cache.close();
    budget.assertAllReleased();
  }

  @Test
  void afterClosingNothingIsReadAhead() {
    read(0).body().cancel();
    reader.close();
    int before = bodies.size();
    read(STEP).body().cancel();
    // the read itself
    assertThat(bodies).hasSize(before + 1);
    cache.close();
    budget.assertAllReleased();
  }
}
