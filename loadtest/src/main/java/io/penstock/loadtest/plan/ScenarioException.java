package io.penstock.loadtest.plan;

import java.util.List;
import java.util.stream.Collectors;

/** A scenario file that cannot be used, with every problem found in it. */
public final class ScenarioException extends Exception {
  private final transient List<Problem> problems;

  ScenarioException(String file, List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> file + ": " + problem)
            .collect(Collectors.joining(System.lineSeparator())));
    this.problems = List.copyOf(problems);
  }

  /** All of them, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
