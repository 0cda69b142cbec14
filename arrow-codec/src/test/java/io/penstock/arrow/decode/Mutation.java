package io.penstock.arrow.decode;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Damages bytes as storage, networks and attackers do; the same generator state, the same damage.
 */
final class Mutation {

  private static final int[] INTERESTING = {0, 1, -1, 0x7f, 0x80, 0xffff, 0x7fffffff, 0x80000000};
  private static final int MOST_CHANGES = 6;

  private Mutation() {}

  static byte[] of(byte[] bytes, RandomGenerator random) {
    byte[] mutated = bytes.clone();
    int changes = 1 + random.nextInt(MOST_CHANGES);
    for (int i = 0; i < changes && mutated.length > Integer.BYTES; i++) {
      mutated = change(mutated, random);
    }
    return mutated;
  }

  private static byte[] change(byte[] bytes, RandomGenerator random) {
    int at = random.nextInt(bytes.length - Integer.BYTES);
    int length = 1 + random.nextInt(Math.min(64, bytes.length - at));
    switch (random.nextInt(7)) {
      case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 2 -> bytes[at] = (byte) random.nextInt();
      case 3 -> {
        int value = INTERESTING[random.nextInt(INTERESTING.length)];
        int shift = random.nextBoolean() ? 24 : 0;
        for (int i = 0; i < Integer.BYTES; i++) {
          bytes[at + i] = (byte) (value >>> Math.abs(shift - i * Byte.SIZE));
        }
      }
      case 4 -> {
        return Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
      }
      case 5 -> {
        return joined(bytes, 0, at, bytes, at + length, bytes.length);
      }
      default -> {
        return joined(bytes, 0, at + length, bytes, at, bytes.length);
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] one, int from, int to, byte[] other, int start, int end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(one, from, to - from);
    out.write(other, start, end - start);
    return out.toByteArray();
  }
}
