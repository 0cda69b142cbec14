package io.penstock.gateway.upstream.wire;

import java.util.Arrays;

/**
 * How large the last responses of one store were, head included. The first read of a response is
 * made before its length is known: a buffer for the largest of the last few takes a small object in
 * one small read and a large one in as few reads as the transport allows.
 *
 * <p>Threading: one event loop.
 */
final class ResponseSizes {
  private static final int REMEMBERED = 16;
  private static final int SMALLEST = 4 * 1024;
  private static final int SPARE = 512;

  private final long[] last = new long[REMEMBERED];
  private final int largest;
  private int next;
  private long most;

  /**
   * Expects nothing but large responses at first.
   *
   * @param largest what one read brings at most
   */
  ResponseSizes(int largest) {
    this.largest = largest;
    this.most = largest;
    Arrays.fill(last, largest);
  }

  /** A response is complete; {@code bytes} came in all. */
  void seen(long bytes) {
    long gone = last[next];
    long size = Math.min(largest, bytes);
    last[next] = size;
    next = (next + 1) % REMEMBERED;
    if (size >= most) {
      most = size;
    } else if (gone == most) {
      most = Arrays.stream(last).max().orElse(largest);
    }
  }

  /** For the first read of a response. */
  int expected() {
    return Math.clamp(most + SPARE, SMALLEST, largest);
  }
}
