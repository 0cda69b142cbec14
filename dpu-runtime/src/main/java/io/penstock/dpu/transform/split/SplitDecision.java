package io.penstock.dpu.transform.split;

import java.util.List;
import java.util.Optional;

/** What a planner decided, and why. */
public sealed interface SplitDecision {

  /** For people: what was chosen and what else it would have cost. */
  String reason();

  /**
   * A split was chosen.
   *
   * @param why what spoke for it
   * @param others the ones that fit too, fastest first
   * @param unfit the ones that memory has no room for
   */
  record Chosen(Estimate estimate, Why why, List<Estimate> others, List<Candidate> unfit)
      implements SplitDecision {
    public Chosen {
      others = List.copyOf(others);
      unfit = List.copyOf(unfit);
    }

    public Split split() {
      return estimate.split();
    }

    /** What {@code split} would have taken, if it was a candidate that fits. */
    public Optional<Estimate> estimateOf(Split split) {
      return split.equals(split())
          ? Optional.of(estimate)
          : others.stream().filter(other -> other.split().equals(split)).findFirst();
    }

    @Override
    public String reason() {
      StringBuilder text = new StringBuilder().append(estimate).append("; ").append(why.words());
      others.stream().limit(3).forEach(other -> text.append("; ").append(other));
      if (!unfit.isEmpty()) {
        text.append("; no memory for ").append(unfit.size()).append(" others");
      }
      return text.toString();
    }
  }

  /** Nothing fits into memory. */
  record NoneFits(long memory, List<Candidate> unfit) implements SplitDecision {
    public NoneFits {
      unfit = List.copyOf(unfit);
    }

    @Override
    public String reason() {
      return "none of %d splits fits into %d bytes".formatted(unfit.size(), memory);
    }
  }

  /** What spoke for a choice. */
  enum Why {
    FASTEST("the shortest epoch"),
    FEWER_BYTES("as fast as the fastest, within the error of estimates, with fewer bytes"),
    NOT_WORTH_COMPUTING("applying layers gains too little"),
    NOT_WORTH_MORE_BYTES("what is faster sends more than the object and gains too little");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }
}
