package io.penstock.arrow.wire;

import io.penstock.arrow.wire.RequestResult.RequestProblem;

/** Leaves the reader at the first problem; never leaves this package. */
final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient RequestProblem problem;

  RequestException(RequestProblem problem) {
    super(problem.message(), null, false, false);
    this.problem = problem;
  }

  RequestProblem problem() {
    return problem;
  }
}
