package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.penstock.arrow.wire.Item;
import io.penstock.arrow.wire.ItemHead;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.cache.KeptFeatures;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The features of a stream's whole objects in the cache.
 *
 * @param features those of the stream's bucket and recipe
 * @param copying where they are copied to their row
 * @param found is told of each that was found
 */
record Kept(KeptFeatures features, Executor copying, Runnable found) {

  /** Whether it is worth asking the store which version is the current one. */
  boolean mayHave(Item item) {
    return isWhole(item) && features.mayHave(item.key(), item.versionId().orElse(""));
  }

  /** What is here of the version of {@code item} that {@code object} describes. */
  Future<Optional<List<ByteBuf>>> find(Item item, HttpFields object) {
    Optional<String> etag = object.get("etag");
    return etag.isPresent()
        ? features
            .find(item.key(), item.versionId().orElse(""), etag.get())
            .onSuccess(buffers -> buffers.ifPresent(_ -> found.run()))
        : Future.succeededFuture(Optional.empty());
  }

  /** On any thread. */
  void keep(Item item, ItemHead head, MemorySegment sample) {
    if (isWhole(item) && head.etag().isPresent()) {
      features.keep(
          item.key(), item.versionId().orElse(""), head.etag().get(), sample.asByteBuffer());
    }
  }

  private static boolean isWhole(Item item) {
    return item.member().isEmpty() && item.range().isEmpty();
  }
}
