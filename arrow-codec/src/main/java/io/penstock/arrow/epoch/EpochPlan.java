package io.penstock.arrow.epoch;

import java.util.Objects;

/**
 * Which items make which batch of one rank. The order of the epoch is a permutation of all items;
 * position {@code p} of it belongs to rank {@code p mod worldSize}, and the positions of a rank, in
 * rising order, are cut into batches of {@code batchSize}, the last of which may be shorter. So
 * batch {@code n} of rank {@code r} holds the positions {@code (n * batchSize + j) * worldSize + r}
 * for {@code j = 0 .. batchSize - 1}, as far as there are such. Plans of the same epoch for all
 * ranks of a world cover every item exactly once (with {@link EpochSpec.Tail#DROP}: at most once),
 * and a plan never depends on where it was resumed.
 *
 * <p>Threading: immutable.
 */
public final class EpochPlan {
  private final EpochSpec spec;
  private final Shuffle shuffle;
  private final int batchSize;
  private final long used;

  /**
   * The plan for a list of {@code items}.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public EpochPlan(long items, int batchSize, EpochSpec spec) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batches of " + batchSize + " items: give at least 1");
    }
    this.spec = spec;
    this.batchSize = batchSize;
    this.shuffle =
        switch (spec.order()) {
          case EpochSpec.Shuffled(long seed, long epoch) -> new Shuffle(items, seed, epoch);
          case EpochSpec.Listed() -> new Shuffle(items, 0, 0);
        };
    long round = (long) batchSize * spec.share().worldSize();
    this.used = spec.tail() == EpochSpec.Tail.DROP ? items - items % round : items;
  }

  /** Items of this rank in the whole epoch. */
  public long items() {
    int world = spec.share().worldSize();
    return (used - spec.share().rank() + world - 1) / world;
  }

  /** Batches of this rank in the whole epoch. */
  public long batches() {
    return (items() + batchSize - 1) / batchSize;
  }

  /** The batch with which the stream begins; {@link #batches()} if nothing is left. */
  public long firstBatch() {
    return Math.min(spec.resumeAt(), batches());
  }

  /**
   * Items of batch {@code number}: the last one of a rank may be short.
   *
   * @throws IndexOutOfBoundsException if there is no such batch
   */
  public int size(long number) {
    Objects.checkIndex(number, batches());
    return (int) Math.min(batchSize, items() - number * batchSize);
  }

  /**
   * The position, in the order of the epoch, of item {@code slot} of batch {@code number}.
   *
   * @throws IndexOutOfBoundsException if there is no such batch or slot
   */
  public long position(long number, int slot) {
    Objects.checkIndex(slot, size(number));
    return (number * batchSize + slot) * spec.share().worldSize() + spec.share().rank();
  }

  /**
   * The item, as an index into the list, of slot {@code slot} of batch {@code number}.
   *
   * @throws IndexOutOfBoundsException if there is no such batch or slot
   */
  public long item(long number, int slot) {
    long position = position(number, slot);
    return switch (spec.order()) {
      case EpochSpec.Shuffled _ -> shuffle.itemAt(position);
      case EpochSpec.Listed _ -> position;
    };
  }
}
