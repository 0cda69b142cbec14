package io.penstock.dpu.transform.split;

/**
 * Whether a stream should change its split, with hysteresis: a change makes the consumer swap its
 * suffix, so it must be worth it and must not be undone at once. A better split is taken when it
 * has been the better one by {@link Patience#gain} in {@link Patience#looks} looks in a row, and
 * not before {@link Patience#rest} looks after the last change.
 *
 * @param split what is used now
 * @param better looks in a row at which another one was better
 * @param rested looks since the last change
 *     <p>Threading: immutable; {@link #look} gives the next state.
 */
public record SplitWatch(Split split, Patience patience, int better, int rested) {

  /**
   * When a change is worth it.
   *
   * @param gain part of the present epoch that a change must save, 0 to 1
   * @param looks at least 1
   * @param rest looks, at least 0
   */
  public record Patience(double gain, int looks, int rest) {
    /** A tenth better for three looks, at the earliest eight looks after the last change. */
    public static final Patience DEFAULT = new Patience(0.1, 3, 8);

    public Patience {
      if (!(gain >= 0 && gain < 1) || looks < 1 || rest < 0) {
        throw new IllegalArgumentException(
            "gain %s, looks %d, rest %d".formatted(gain, looks, rest));
      }
    }
  }

  /** A watch of a stream that begins with {@code split}. */
  public static SplitWatch of(Split split, Patience patience) {
    return new SplitWatch(split, patience, 0, 0);
  }

  /**
   * The watch after another look; its {@link #split} is another one if the stream should change.
   *
   * @param fresh what would be chosen now; a split in use that no longer fits is left at once
   */
  public SplitWatch look(SplitDecision.Chosen fresh) {
    int looks = rested == Integer.MAX_VALUE ? rested : rested + 1;
    if (fresh.split().equals(split)) {
      return new SplitWatch(split, patience, 0, looks);
    }
    var now = fresh.estimateOf(split);
    if (now.isEmpty()) {
      return of(fresh.split(), patience);
    }
    boolean gains = fresh.estimate().seconds() < now.get().seconds() * (1 - patience.gain());
    int inRow = gains ? Math.min(better + 1, patience.looks()) : 0;
    return inRow >= patience.looks() && looks > patience.rest()
        ? of(fresh.split(), patience)
        : new SplitWatch(split, patience, inRow, looks);
  }
}
