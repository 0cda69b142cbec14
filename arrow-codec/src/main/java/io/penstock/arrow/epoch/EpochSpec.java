package io.penstock.arrow.epoch;

/**
 * One rank's view of one epoch.
 *
 * @param order seed and number of the epoch, or the order of the list
 * @param share which rank of how many
 * @param resumeAt the first batch of this rank that is wanted, from 0
 */
public record EpochSpec(Order order, Share share, Tail tail, long resumeAt) {

  /** In which order the items of the epoch come. */
  public sealed interface Order {}

  /** As the list has them. */
  public record Listed() implements Order {}

  /**
   * By {@link Shuffle}.
   *
   * @param epoch from 0; each has another order for the same seed
   */
  public record Shuffled(long seed, long epoch) implements Order {}

  /**
   * Which rank of how many.
   *
   * @param rank from 0
   */
  public record Share(int rank, int worldSize) {
    /**
     * @throws IllegalArgumentException if there is no such rank
     */
    public Share {
      if (worldSize < 1) {
        throw new IllegalArgumentException("a world of " + worldSize + " ranks: give at least 1");
      }
      if (rank < 0 || rank >= worldSize) {
        throw new IllegalArgumentException(
            "rank %d in a world of %d: ranks are 0 to %d"
                .formatted(rank, worldSize, worldSize - 1));
      }
    }
  }

  /** What becomes of the items that do not make a full batch on every rank. */
  public enum Tail {
    /** They come: every item exactly once, the ranks differ by at most one item. */
    KEEP,
    /** They do not: every rank gets the same number of full batches. */
    DROP
  }

  /**
   * @throws IllegalArgumentException if {@code resumeAt} is negative
   */
  public EpochSpec {
    if (resumeAt < 0) {
      throw new IllegalArgumentException("cannot resume at batch " + resumeAt);
    }
  }
}
