package io.penstock.loadtest.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Collects one HTTP/1 head from a byte stream and looks things up in it, without making an object
 * per header: a load generator reads three of them and must stay cheaper than what it measures.
 *
 * <p>Threading: one event loop. Ownership: copies the head's bytes; never keeps the buffer.
 */
public final class HeadScanner {
  private static final int LIMIT = 64 << 10;

  private byte[] head = new byte[4096];
  private int length;
  private int end;

  /**
   * Takes bytes up to the empty line that ends the head.
   *
   * @return whether the head is complete; the rest of {@code in} is then body
   * @throws IllegalStateException when the head is longer than 64 KiB
   */
  public boolean collect(ByteBuf in) {
    if (end > 0) {
      reset();
    }
    while (in.isReadable()) {
      if (length == head.length) {
        grow();
      }
      int taken = Math.min(in.readableBytes(), head.length - length);
      in.getBytes(in.readerIndex(), head, length, taken);
      int from = Math.max(0, length - 3);
      int found = emptyLine(from, length + taken);
      if (found >= 0) {
        in.skipBytes(found - length);
        end = length = found;
        return true;
      }
      in.skipBytes(taken);
      length += taken;
    }
    return false;
  }

  private void grow() {
    if (head.length >= LIMIT) {
      throw new IllegalStateException("a head longer than " + LIMIT + " bytes");
    }
    head = java.util.Arrays.copyOf(head, head.length * 4);
  }

  private int emptyLine(int from, int to) {
    for (int i = from + 3; i < to; i++) {
      if (head[i] == '\n' && head[i - 1] == '\r' && head[i - 2] == '\n' && head[i - 3] == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  /** Forgets the head. */
  public void reset() {
    length = 0;
    end = 0;
  }

  /** Whether part of a head has been seen. */
  public boolean started() {
    return length > 0 && end == 0;
  }

  /** The {@code index}-th word of the first line, from 0; empty when there are fewer. */
  public String word(int index) {
    int at = 0;
    for (int i = 0; i < index; i++) {
      at = skipTo(at, ' ') + 1;
    }
    int to = Math.min(skipTo(at, ' '), skipTo(at, '\r'));
    return at >= end ? "" : new String(head, at, to - at, StandardCharsets.ISO_8859_1);
  }

  /** The status of a response, or -1. */
  public int status() {
    int at = skipTo(0, ' ') + 1;
    return at + 3 > end ? -1 : (int) number(at, at + 3);
  }

  private int skipTo(int from, char wanted) {
    int at = from;
    while (at < end && head[at] != wanted) {
      at++;
    }
    return at;
  }

  /** The value of a header, or null. {@code name} is lower case. */
  public @Nullable String header(String name) {
    int at = valueOf(name);
    return at < 0
        ? null
        : new String(head, at, skipTo(at, '\r') - at, StandardCharsets.ISO_8859_1).strip();
  }

  /** The value of a header that is a whole number, or -1. {@code name} is lower case. */
  public long number(String name) {
    int at = valueOf(name);
    return at < 0 ? -1 : number(at, skipTo(at, '\r'));
  }

  private long number(int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = head[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return from < to ? value : -1;
  }

  private int valueOf(String name) {
    int line = skipTo(0, '\n') + 1;
    while (line < end) {
      int at = afterName(line, name);
      if (at > 0) {
        while (at < end && head[at] == ' ') {
          at++;
        }
        return at;
      }
      line = skipTo(line, '\n') + 1;
    }
    return -1;
  }

  private int afterName(int line, String name) {
    int colon = line + name.length();
    if (colon >= end || head[colon] != ':') {
      return -1;
    }
    for (int i = 0; i < name.length(); i++) {
      byte b = head[line + i];
      int lower = b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
      if (lower != name.charAt(i)) {
        return -1;
      }
    }
    return colon + 1;
  }
}
