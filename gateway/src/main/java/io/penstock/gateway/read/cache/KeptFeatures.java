package io.penstock.gateway.read.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.HttpFields;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What was computed of the objects of one bucket by one recipe, in blocks of the cache like those
 * of objects, and on its disk. Features are kept under the ETag of the object that they were made
 * of: whoever looks for them has learned the current one from the store, so nothing here is ever
 * old.
 *
 * <p>Threading: one event loop, but for {@link #keep}, which any thread may call.
 */
public final class KeptFeatures {
  private final ReadCache cache;
  private final String bucket;
  private final long bytes;
  private final Executor loop;
  private final LongSupplier nanoTime;

  /**
   * The features of a bucket.
   *
   * @param space no name that a bucket can have: recipe and bucket
   * @param bytes of the features of one object
   */
  KeptFeatures(ReadCache cache, String space, long bytes, Executor loop, LongSupplier nanoTime) {
    this.cache = cache;
    this.bucket = space;
    this.bytes = bytes;
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  private ObjectName name(String key, String version) {
    return new ObjectName(bucket, key, version);
  }

  /**
   * Whether it is worth asking the store for the object's ETag.
   *
   * @param version of the object, empty for the current one
   */
  public boolean mayHave(String key, String version) {
    ObjectName name = name(key, version);
    return cache.table.find(name) != null || cache.blocks.disk().mayHold(name, 0, cache.blockSize);
  }

  /**
   * The features of exactly this version, in buffers that the caller releases; empty if they are
   * not here as a whole.
   */
  public Future<Optional<List<ByteBuf>>> find(String key, String version, String etag) {
    Optional<ObjectEntry> entry = entry(key, version, etag);
    if (entry.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    Gathering gathering = new Gathering(entry.get());
    gathering.proceed();
    return gathering.done.future();
  }

  /** Keeps a copy, if there is room. */
  public void keep(String key, String version, String etag, ByteBuffer features) {
    Optional<ObjectEntry> entry = entry(key, version, etag);
    if (entry.isPresent() && features.remaining() == bytes) {
      Fill fill = Fill.begin(cache.blocks, entry.get(), 0, bytes - 1, false);
      try {
        fill.pass(Unpooled.wrappedBuffer(features.duplicate()));
      } finally {
        fill.finish();
      }
    }
  }

  private Optional<ObjectEntry> entry(String key, String version, String etag) {
    ObjectName name = name(key, version);
    long now = nanoTime.getAsLong();
    VersionHead head =
        new VersionHead(etag, bytes, HttpFields.EMPTY, Optional.empty(), 0, bytes - 1);
    return cache.table.learn(name, head, cache.table.epoch(name, now), now);
  }

  /** Collects the blocks of one version, those on the disk too. */
  private final class Gathering {
    private final ObjectEntry entry;
    private final List<ByteBuf> got = new ArrayList<>(1);
    private final Promise<Optional<List<ByteBuf>>> done = Promise.promise();
    private long position;
    private long awaited = -1;

    Gathering(ObjectEntry entry) {
      this.entry = entry;
    }

    void proceed() {
      while (position < bytes) {
        ByteBuf slice = entry.slice(position, bytes);
        if (slice == null) {
          await();
          return;
        }
        got.add(slice);
        position += slice.readableBytes();
      }
      done.complete(Optional.of(got));
    }

    /** Each block is waited for once. */
    private void await() {
      int block = entry.blockOf(position);
      Optional<Fill> fill = position > awaited ? bringing(block) : Optional.empty();
      awaited = position;
      if (fill.isPresent()) {
        var _ = fill.get().await(block, loop, this::proceed);
      } else {
        got.forEach(ByteBuf::release);
        done.complete(Optional.empty());
      }
    }

    private Optional<Fill> bringing(int block) {
      Optional<Fill> running = entry.fillOf(block);
      return running.isPresent()
          ? running
          : cache.blocks.disk().bring(cache.blocks, entry, block, entry.blockOf(bytes - 1), false);
    }
  }
}
