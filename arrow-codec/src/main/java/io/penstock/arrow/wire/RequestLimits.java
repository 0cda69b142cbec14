package io.penstock.arrow.wire;

/**
 * How large a request may be.
 *
 * @param bytes of the whole request
 * @param items that it names
 * @param batchSize the most items in a batch
 */
public record RequestLimits(long bytes, int items, int batchSize) {
  /** 10 MiB, a million items, 65,536 items a batch. */
  public static final RequestLimits DEFAULT = new RequestLimits(10L << 20, 1_000_000, 1 << 16);
}
