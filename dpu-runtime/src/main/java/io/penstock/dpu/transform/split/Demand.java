package io.penstock.dpu.transform.split;

/**
 * What one tenant's stream wants to compute with.
 *
 * @param fixedBytes f: held as long as the stream runs
 * @param sampleBytes a: held for each sample while it is computed
 * @param least the fewest samples at once it can work with
 * @param requested the most it asks for
 */
public record Demand(String id, long fixedBytes, long sampleBytes, int least, int requested) {
  public Demand {
    if (fixedBytes < 0 || sampleBytes < 1 || least < 1 || requested < least) {
      throw new IllegalArgumentException(
          "fixed %d, a sample %d bytes, %d to %d samples"
              .formatted(fixedBytes, sampleBytes, least, requested));
    }
  }

  /** Bytes with {@code samples} at once; saturates. */
  public long bytes(int samples) {
    if (sampleBytes > (Long.MAX_VALUE - fixedBytes) / samples) {
      return Long.MAX_VALUE;
    }
    return fixedBytes + sampleBytes * samples;
  }
}
