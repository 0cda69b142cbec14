package io.penstock.dpu.transform.split;

/**
 * What a split is chosen for, as measured.
 *
 * @param links how fast bytes come and go
 * @param threads of the gateway that this stream can have, a fraction of one where it shares
 * @param memory bytes for the model and its steps
 * @param work what is asked for
 */
public record Surroundings(Links links, double threads, long memory, Work work) {

  /**
   * How fast bytes come and go.
   *
   * @param store bytes per second, from the store or the cache
   * @param client bytes per second, to the consumer
   */
  public record Links(double store, double client) {
    public Links {
      Checks.positive("store", store);
      Checks.positive("client", client);
    }
  }

  /**
   * What is asked for.
   *
   * @param samples N: of the epoch
   * @param batch B: of a training batch
   * @param objectBytes an average object as it is stored
   * @param leastStep the fewest samples that are computed at once
   */
  public record Work(long samples, int batch, long objectBytes, int leastStep) {
    public Work {
      Checks.positive("samples", samples);
      Checks.positive("batch", batch);
      Checks.notNegative("objectBytes", objectBytes);
      Checks.positive("leastStep", leastStep);
    }
  }

  public Surroundings {
    Checks.positive("threads", threads);
    Checks.notNegative("memory", memory);
  }
}
