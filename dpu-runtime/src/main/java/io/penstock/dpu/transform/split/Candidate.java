package io.penstock.dpu.transform.split;

/**
 * What one split costs for each sample, wherever it is run.
 *
 * @param bytes what is sent of a sample
 */
public record Candidate(Split split, long bytes, Near near, Far far) {

  /**
   * At the gateway.
   *
   * @param seconds one thread decodes and applies the prefix
   * @param fixedBytes memory however many samples are computed at once: weights
   * @param sampleBytes memory for each sample that is computed at once
   */
  public record Near(double seconds, long fixedBytes, long sampleBytes) {
    public Near {
      Checks.notNegative("seconds", seconds);
      Checks.notNegative("fixedBytes", fixedBytes);
      Checks.notNegative("sampleBytes", sampleBytes);
    }
  }

  /**
   * At the consumer.
   *
   * @param seconds its longest overlapping stage: decoding, or load, copy, forward over the suffix
   *     and backward
   * @param serialSeconds what overlaps with nothing: deserialise, assemble
   */
  public record Far(double seconds, double serialSeconds) {
    public Far {
      Checks.notNegative("seconds", seconds);
      Checks.notNegative("serialSeconds", serialSeconds);
    }
  }

  public Candidate {
    Checks.notNegative("bytes", bytes);
  }

  /** Memory of a step over {@code samples} samples; saturates. */
  long memory(int samples) {
    long high = Math.multiplyHigh(near.sampleBytes(), samples);
    long product = high == 0 ? near.sampleBytes() * samples : -1;
    long sum = product + near.fixedBytes();
    return product < 0 || sum < 0 ? Long.MAX_VALUE : sum;
  }
}
