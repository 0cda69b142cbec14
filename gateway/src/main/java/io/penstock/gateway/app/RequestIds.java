package io.penstock.gateway.app;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Request ids: 16 hex digits, unique with near certainty over all gateways.
 *
 * <p>Threading: one instance per event loop.
 */
final class RequestIds implements Supplier<String> {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();
  private final SplittableRandom random;

  RequestIds(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public String get() {
    long bits = random.nextLong();
    char[] id = new char[16];
    for (int i = 0; i < id.length; i++) {
      id[i] = HEX[(int) (bits >>> (60 - 4 * i)) & 15];
    }
    return new String(id);
  }
}
