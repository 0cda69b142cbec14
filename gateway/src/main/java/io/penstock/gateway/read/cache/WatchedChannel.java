package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cache of writes: before they are sent, and before each part of their answer is passed
 * on, the last one included (CompleteMultipartUpload may commit long after its answer has begun).
 *
 * <p>Threading: as the channel within.
 */
final class WatchedChannel implements UpstreamChannel {
  /** From here on the store, or a balancer before it, does not say whether it will still happen. */
  private static final int FAILURES = 500;

  private final UpstreamChannel channel;
  private final Writes writes;

  WatchedChannel(UpstreamChannel channel, Writes writes) {
    this.channel = channel;
    this.writes = writes;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    Optional<WriteScope> write = WriteScope.of(request);
    if (write.isEmpty()) {
      return channel.send(request);
    }
    WriteScope scope = write.get();
    writes.invalidate(scope);
    return channel
        .send(request)
        .onFailure(_ -> writes.unsure(scope))
        .map(
            response -> {
              if (response.head().status() >= FAILURES) {
                writes.unsure(scope);
              } else {
                writes.invalidate(scope);
              }
              return new UpstreamResponse(response.head(), new Answer(response.body(), scope));
            });
  }

  @Override
  public String toString() {
    return "Watched(" + channel + ")";
  }

  /**
   * The answer of a write.
   *
   * <p>Ownership: passes buffers through and holds none.
   */
  private final class Answer implements BodyStream, BodyStream.Sink {
    private final BodyStream source;
    private final WriteScope scope;
    private @Nullable Sink sink;
    private boolean over;

    Answer(BodyStream source, WriteScope scope) {
      this.source = source;
      this.scope = scope;
    }

    @Override
    public long length() {
      return source.length();
    }

    @Override
    public void start(Sink to) {
      sink = to;
      source.start(this);
    }

    @Override
    public void pause() {
      source.pause();
    }

    @Override
    public void resume() {
      source.resume();
    }

    @Override
    public void cancel() {
      if (!over) {
        over = true;
        writes.unsure(scope);
      }
      source.cancel();
    }

    @Override
    public void data(ByteBuf buffer) {
      writes.invalidate(scope);
      Objects.requireNonNull(sink).data(buffer);
    }

    @Override
    public void end() {
      over = true;
      writes.invalidate(scope);
      Objects.requireNonNull(sink).end();
    }

    @Override
    public void failed(Throwable cause) {
      over = true;
      writes.unsure(scope);
      Objects.requireNonNull(sink).failed(cause);
    }
  }
}
