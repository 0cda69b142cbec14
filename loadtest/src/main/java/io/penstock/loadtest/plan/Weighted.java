package io.penstock.loadtest.plan;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Values drawn in proportion to their weights.
 *
 * <p>Threading: immutable; the random source is the caller's.
 */
public record Weighted<T>(List<Choice<T>> choices) {
  /** One value and how often it is drawn, relative to the others. */
  public record Choice<T>(T value, int weight) {}

  public Weighted {
    choices = List.copyOf(choices);
    if (choices.isEmpty() || choices.stream().anyMatch(choice -> choice.weight() < 1)) {
      throw new IllegalArgumentException("weights are whole numbers above 0: " + choices);
    }
  }

  /** Always this value. */
  public static <T> Weighted<T> only(T value) {
    return new Weighted<>(List.of(new Choice<>(value, 1)));
  }

  /** The values, in the order they were written. */
  public List<T> values() {
    return choices.stream().map(Choice::value).toList();
  }

  /** The index of the next value. */
  public int nextIndex(SplittableRandom random) {
    if (choices.size() == 1) {
      return 0;
    }
    int sum = 0;
    for (Choice<T> choice : choices) {
      sum += choice.weight();
    }
    int left = random.nextInt(sum);
    int index = 0;
    while (left >= choices.get(index).weight()) {
      left -= choices.get(index++).weight();
    }
    return index;
  }
}
