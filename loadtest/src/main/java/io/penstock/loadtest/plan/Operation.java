package io.penstock.loadtest.plan;

import java.util.Locale;

/** What one request does. */
public enum Operation {
  /** The whole object. */
  GET,
  /** The next range of an object that each connection reads from front to back. */
  RANGED,
  PUT,
  /** One page of the bucket. */
  LIST;

  /** As scenario files write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
