package io.penstock.gateway.read.cache;

import io.penstock.gateway.upstream.UpstreamChannel;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Hears of every write on its way to the store, before it is sent and when it is over, so that no
 * later read is served what was there before. A write whose outcome is unknown may still happen:
 * what it names is not kept for a while.
 *
 * <p>Threading: any thread.
 */
public final class Writes {
  private static final Duration UNSURE = Duration.ofMinutes(1);

  private final ObjectTable table;
  private final DiskBlocks disk;
  private final LongSupplier nanoClock;

  Writes(ObjectTable table, DiskBlocks disk, LongSupplier nanoClock) {
    this.table = table;
    this.disk = disk;
    this.nanoClock = nanoClock;
  }

  /** The channel, watched for writes. */
  public UpstreamChannel watch(UpstreamChannel channel) {
    return new WatchedChannel(channel, this);
  }

  /** The write is about to be sent, or some of its answer is here. */
  void invalidate(WriteScope scope) {
    if (scope.keys().isEmpty()) {
      table.invalidate(scope.bucket());
    }
    for (String key : scope.keys()) {
      table.invalidate(scope.bucket(), key, scope.version());
      forgetOnDisk(scope, key);
    }
  }

  /** Nothing old could be served; this is for the room, and because it was deleted. */
  private void forgetOnDisk(WriteScope scope, String key) {
    disk.forget(new ObjectName(scope.bucket(), key, ""));
    disk.forget(new ObjectName(scope.bucket(), key, "null"));
    if (!scope.version().isEmpty()) {
      disk.forget(new ObjectName(scope.bucket(), key, scope.version()));
    }
  }

  /** The write broke off before its answer was complete, or the answer leaves its outcome open. */
  void unsure(WriteScope scope) {
    long until = nanoClock.getAsLong() + UNSURE.toNanos();
    if (scope.keys().isEmpty()) {
      table.distrust(scope.bucket(), until);
    }
    for (String key : scope.keys()) {
      table.distrust(scope.bucket(), key, until);
    }
    invalidate(scope);
  }
}
