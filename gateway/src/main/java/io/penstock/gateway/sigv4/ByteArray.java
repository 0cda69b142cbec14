package io.penstock.gateway.sigv4;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A byte array that grows, for the canonical forms that are hashed. Text is taken as HTTP has it:
 * one byte for each character up to U+00FF, which is how field values and targets arrive.
 *
 * <p>Threading: not thread safe.
 */
final class ByteArray {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  private byte[] bytes;
  private int length;

  ByteArray(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  ByteArray clear() {
    length = 0;
    return this;
  }

  ByteArray add(char c) {
    if (c > 0xFF) {
      return add(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
    }
    room(1);
    bytes[length++] = (byte) c;
    return this;
  }

  ByteArray add(String text) {
    return add(text, 0, text.length());
  }

  /** The characters from {@code start} up to {@code end}. */
  ByteArray add(String text, int start, int end) {
    room(end - start);
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c > 0xFF) {
        // never from the wire: only our own caller's text can hold it
        return add(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
      }
      bytes[length++] = (byte) c;
    }
    return this;
  }

  ByteArray add(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return this;
  }

  ByteArray addHex(byte[] more) {
    room(2 * more.length);
    for (byte b : more) {
      bytes[length++] = HEX[(b >> 4) & 0xF];
      bytes[length++] = HEX[b & 0xF];
    }
    return this;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
