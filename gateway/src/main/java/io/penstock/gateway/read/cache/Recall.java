package io.penstock.gateway.read.cache;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import java.util.Optional;

/**
 * How blocks that outlived a restart come to be served: they say whose they are, but only the store
 * says whether that is the current version. It is asked for the head alone, so that no bytes come
 * that the disk has.
 *
 * <p>Threading: any thread.
 */
final class Recall {
  private final ReadCache cache;

  Recall(ReadCache cache) {
    this.cache = cache;
  }

  /** Whether the first bytes of the read may be on the disk. */
  boolean isPossible(CacheableRead read) {
    return cache.blocks.disk().mayHold(read.name(), read.first(), cache.blockSize);
  }

  /** The question for the head of what {@code get} reads. */
  UpstreamRequest head(UpstreamRequest get) {
    HttpFields fields = CacheableRead.plain(get.fields());
    return new UpstreamRequest(
        "HeadObject",
        "HEAD",
        get.target(),
        fields,
        get.body(),
        get.payloadSha256(),
        get.idempotent(),
        get.cancellation());
  }

  /**
   * Takes in what the store says of the version; what the disk has of others is deleted.
   *
   * @param epoch as it was before the store was asked at {@code askedNanos}
   * @return empty if the read cannot be answered from here
   */
  Optional<Hit> learn(UpstreamResponse response, CacheableRead read, long epoch, long askedNanos) {
    response.body().start(DiscardedBody.SINK);
    Optional<ObjectEntry> entry =
        VersionHead.ofHead(response.head(), read.checksums())
            .filter(head -> cache.isWorthIt(read.name(), head, askedNanos))
            .flatMap(head -> cache.table.learn(read.name(), head, epoch, askedNanos));
    Optional<Hit> hit = entry.flatMap(known -> Hit.of(read, known));
    boolean here = hit.filter(this::isHere).isPresent();
    // of a suffix it was not known which block it begins with
    boolean replaced = hit.isPresent() && !here && read.first() >= 0;
    if (replaced || response.head().status() == 404) {
      cache.blocks.disk().forget(read.name());
    }
    return here ? hit : Optional.empty();
  }

  private boolean isHere(Hit hit) {
    int first = hit.entry().blockOf(hit.first());
    return hit.entry().has(first) || cache.blocks.disk().holds(hit.entry(), first);
  }
}
