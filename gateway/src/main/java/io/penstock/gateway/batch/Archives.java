package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeException;
import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.S3Error;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The indexes of archives whose members were asked for, the most recently used ones: an archive is
 * walked once however many of its members are read. An index says nothing about who may read the
 * archive, and whether it is still current shows when a member is read: that is conditional on the
 * ETag.
 *
 * <p>Threading: the event loop of the reader.
 */
final class Archives {
  /** Members, of all indexes that are kept; about 200 bytes of heap each. */
  static final int MOST_MEMBERS = 200_000;

  private final ObjectReader objects;
  private final RequestParsing threads;
  private final Map<Archive, ArchiveIndex> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Archive, Walk> walks = new HashMap<>();
  private int members;

  /** One object of a store. */
  record Archive(String bucket, String key, Optional<String> versionId) {}

  /** A walk and how many wait for it. */
  private static final class Walk {
    final ArchiveWalk walk;
    final Future<ArchiveIndex> index;
    int waiting;

    Walk(ArchiveWalk walk) {
      this.walk = walk;
      this.index = walk.start();
    }
  }

  Archives(ObjectReader objects, RequestParsing threads) {
    this.objects = objects;
    this.threads = threads;
  }

  /**
   * The index of an archive; fails with an {@link ItemFailedException}. A walk for which nobody
   * waits any more is stopped.
   */
  Future<ArchiveIndex> index(Archive archive, DecodeLimits limits, Cancellation cancellation) {
    ArchiveIndex known = kept.get(archive);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    Walk running = walks.get(archive);
    if (running == null) {
      running = begin(archive, limits);
    }
    Walk walk = running;
    walk.waiting++;
    Cancellation.Registration registration =
        cancellation.onCancel(
            () -> {
              if (--walk.waiting == 0 && walks.remove(archive, walk)) {
                walk.walk.cancel();
              }
            });
    return walk.index.onComplete(_ -> registration.close());
  }

  private Walk begin(Archive archive, DecodeLimits limits) {
    Walk walk = new Walk(new ArchiveWalk(objects, threads, archive, limits));
    walks.put(archive, walk);
    walk.index.onComplete(
        found -> {
          walks.remove(archive, walk);
          if (found.succeeded()) {
            keep(archive, found.result());
          }
        });
    return walk;
  }

  /** The archive is not what the index says any more. */
  void forget(Archive archive, ArchiveIndex stale) {
    if (kept.remove(archive, stale)) {
      members -= weight(stale);
    }
  }

  /** The newest index stays however large it is, or its own items would walk again. */
  private void keep(Archive archive, ArchiveIndex index) {
    ArchiveIndex before = kept.put(archive, index);
    members += weight(index) - (before == null ? 0 : weight(before));
    Iterator<Map.Entry<Archive, ArchiveIndex>> oldest = kept.entrySet().iterator();
    while (members > MOST_MEMBERS && kept.size() > 1) {
      members -= weight(oldest.next().getValue());
      oldest.remove();
    }
  }

  private static int weight(ArchiveIndex index) {
    return index.members().entries().size() + 1;
  }

  static ItemStatus.Failed unavailable(String why) {
    return StoreAnswers.of(S3Error.SERVICE_UNAVAILABLE, "the archive cannot be indexed: " + why);
  }

  static ItemStatus.Failed damaged(DecodeException e) {
    return new ItemStatus.Failed(422, e.fault().code(), String.valueOf(e.getMessage()));
  }
}
