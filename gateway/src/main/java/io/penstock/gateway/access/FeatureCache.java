package io.penstock.gateway.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.read.cache.KeptFeatures;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.s3.S3Target;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What access points and batches have computed before, if there is a cache: asked only for requests
 * that were authorised, and with the ETag that the store has just given.
 *
 * <p>Threading: the event loop, but for {@link #keep}, which any thread may call.
 */
final class FeatureCache {
  private final Optional<ReadCache> cache;
  private final Executor loop;
  private final Runnable found;

  /**
   * What {@code cache} has.
   *
   * @param found is told of each object whose features were found
   */
  FeatureCache(Optional<ReadCache> cache, Executor loop, Runnable found) {
    this.cache = cache;
    this.loop = loop;
    this.found = found;
  }

  /** Whether it is worth asking the store for the object's ETag. */
  boolean mayHave(Exchange exchange, FeatureObject object) {
    return of(object).filter(it -> it.mayHave(key(exchange), version(exchange))).isPresent();
  }

  /** The sample made of the object {@code behind}, to be released; empty if it is not here. */
  Future<Optional<ByteBuf>> find(Exchange exchange, FeatureObject object, ResponseHead behind) {
    Optional<KeptFeatures> kept = of(object);
    Optional<String> etag = behind.fields().get("etag");
    if (kept.isEmpty() || etag.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    return kept.get()
        .find(key(exchange), version(exchange), etag.get())
        .map(buffers -> buffers.map(this::joined));
  }

  private ByteBuf joined(List<ByteBuf> buffers) {
    found.run();
    CompositeByteBuf whole = Unpooled.compositeBuffer(Math.max(1, buffers.size()));
    buffers.forEach(buffer -> whole.addComponent(true, buffer));
    return whole;
  }

  /** Keeps a sample that was made of the object {@code behind}. */
  void keep(Exchange exchange, FeatureObject object, ResponseHead behind, ByteBuffer sample) {
    behind
        .fields()
        .get("etag")
        .ifPresent(
            etag ->
                of(object)
                    .ifPresent(it -> it.keep(key(exchange), version(exchange), etag, sample)));
  }

  /** Pixels are not kept: they are larger than the picture. */
  private Optional<KeptFeatures> of(FeatureObject object) {
    return cache
        .filter(_ -> object.features().isComputed())
        .map(
            it ->
                it.features(
                    object.point().bucket(),
                    object.features().recipe(),
                    object.file().payload(),
                    loop));
  }

  private static String key(Exchange exchange) {
    return exchange.request().target().key();
  }

  private static String version(Exchange exchange) {
    S3Target target = exchange.request().target();
    return target.query().get("versionId").orElse("");
  }
}
