package io.penstock.loadtest.client;

import io.penstock.loadtest.plan.Operation;

/**
 * One request to be sent now: bytes {@code first} to {@code first + length - 1} of its object, due
 * at {@code intended} in the client's clock.
 */
record Shot(Request request, long first, long length, long intended) {
  boolean ranged() {
    return request.operation() == Operation.RANGED;
  }

  /** The value of the Range header. */
  String range() {
    return "bytes=" + first + "-" + (first + length - 1);
  }

  Shot dueAt(long nanos) {
    return new Shot(request, first, length, nanos);
  }
}
