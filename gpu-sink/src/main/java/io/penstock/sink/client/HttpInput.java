package io.penstock.sink.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One response, read from a wire: its head first, then its body as a channel. A large read goes
 * from the socket into the reader's memory in one system call that also takes up what follows the
 * chunk; small ones are served from a staging buffer of off-heap memory. Bytes of the body never
 * lie on the heap. A body that stops before its framing says so ends the channel: whoever reads a
 * stream in it knows that the end is missing.
 *
 * <p>Threading: one thread.
 */
final class HttpInput implements ReadableByteChannel {
  private static final int STAGED = 8 << 10;
  private static final int LONGEST_HEAD = 64 << 10;
  private static final int LONGEST_LINE = 8 << 10;

  private final Wire wire;
  private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGED).flip();
  private boolean chunked;
  private boolean betweenChunks;
  private boolean ended;

  /** Bytes of the body, or of its chunk, that are still to come. */
  private long left;

  HttpInput(Wire wire) {
    this.wire = wire;
  }

  /** Reads the head of the final response; those that only inform are passed over. */
  ResponseHead head() throws IOException {
    ResponseHead head = oneHead();
    while (head.status() < 200) {
      head = oneHead();
    }
    chunked = head.chunked();
    left = chunked ? 0 : head.length();
    return head;
  }

  private ResponseHead oneHead() throws IOException {
    List<String> lines = new ArrayList<>();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      length += line.length();
      if (length > LONGEST_HEAD) {
        throw new IOException("the head of the response is longer than " + LONGEST_HEAD);
      }
      lines.add(line);
    }
    return ResponseHead.of(lines);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (chunked && left == 0 && !ended) {
      nextChunk();
    }
    if (ended || left == 0) {
      return -1;
    }
    int wanted = (int) Math.min(left, target.remaining());
    int read;
    if (staging.hasRemaining()) {
      read = unstage(target, wanted);
    } else if (wanted < STAGED) {
      read = stage() ? unstage(target, wanted) : -1;
    } else {
      read = direct(target, wanted);
    }
    if (read < 0) {
      ended = true;
    } else {
      left -= read;
      betweenChunks = chunked && left == 0;
    }
    return read;
  }

  private int unstage(ByteBuffer target, int wanted) {
    int length = Math.min(wanted, staging.remaining());
    target.put(staging.slice(staging.position(), length));
    staging.position(staging.position() + length);
    return length;
  }

  private int direct(ByteBuffer target, int wanted) throws IOException {
    int before = target.position();
    int limit = target.limit();
    target.limit(before + wanted);
    staging.clear();
    try {
      long read = wire.read(target, staging);
      return read < 0 ? -1 : target.position() - before;
    } finally {
      staging.flip();
      target.limit(limit);
    }
  }

  /** Takes up what there is; the staging buffer is empty. */
  private boolean stage() throws IOException {
    staging.clear();
    try {
      return wire.read(staging, ByteBuffer.allocate(0)) >= 0;
    } finally {
      staging.flip();
    }
  }

  private void nextChunk() throws IOException {
    try {
      if (betweenChunks && !line().isEmpty()) {
        throw new IOException("a chunk is longer than it said");
      }
      betweenChunks = false;
      left = chunkLength(line());
      if (left == 0) {
        ended = true;
      }
    } catch (EndOfWire e) {
      ended = true;
    }
  }

  private static long chunkLength(String line) throws IOException {
    String digits = line.split("[;\\s]", 2)[0];
    if (!digits.matches("[0-9a-fA-F]{1,15}")) {
      throw new IOException("a chunk has no length");
    }
    return Long.parseLong(digits, 16);
  }

  private static final class EndOfWire extends IOException {
    private static final long serialVersionUID = 1L;

    EndOfWire() {
      super("the connection ended before the response did");
    }
  }

  /** A line without its end. */
  private String line() throws IOException {
    byte[] line = new byte[LONGEST_LINE];
    int length = 0;
    while (true) {
      if (!staging.hasRemaining() && !stage()) {
        throw new EndOfWire();
      }
      byte next = staging.get();
      if (next == '\n') {
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.ISO_8859_1);
      }
      if (length == LONGEST_LINE) {
        throw new IOException("a line of the response is longer than " + LONGEST_LINE);
      }
      line[length++] = next;
    }
  }

  @Override
  public boolean isOpen() {
    return !ended;
  }

  @Override
  public void close() throws IOException {
    ended = true;
    wire.close();
  }
}
