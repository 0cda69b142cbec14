package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.wire.HeadScanner;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into HTTP/1.1 responses, in any split, and hands the body bytes on where they
 * lie. Reads as little as a load generator needs: status, length, chunked, close.
 *
 * <p>Threading: one event loop. Ownership: consumes the buffer's bytes; the caller releases it.
 */
final class ResponseReader {
  /** Where the pieces go. */
  interface Sink {
    void head(int status);

    /** {@code count} body bytes at the reader index of {@code in}, valid during the call. */
    void body(ByteBuf in, int count);

    void end(boolean keepAlive);
  }

  private enum State {
    HEAD,
    FIXED,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    UNTIL_CLOSE
  }

  private final HeadScanner head = new HeadScanner();
  private final StringBuilder line = new StringBuilder();
  private final Sink sink;
  private State state = State.HEAD;
  private boolean keepAlive = true;
  private long left;

  ResponseReader(Sink sink) {
    this.sink = sink;
  }

  /**
   * Consumes all of {@code in}.
   *
   * @throws IllegalStateException when it is not HTTP
   */
  void read(ByteBuf in) {
    while (in.isReadable()) {
      switch (state) {
        case HEAD -> readHead(in);
        case FIXED, CHUNK_DATA -> readData(in);
        case CHUNK_SIZE, CHUNK_END, TRAILERS -> readLine(in);
        case UNTIL_CLOSE -> {
          sink.body(in, in.readableBytes());
          in.skipBytes(in.readableBytes());
        }
      }
    }
  }

  /** The connection ended: for some responses that is their end. */
  void closed() {
    if (state == State.UNTIL_CLOSE) {
      finish(false);
    }
  }

  private void readHead(ByteBuf in) {
    if (!head.collect(in)) {
      return;
    }
    int status = head.status();
    if (status < 100) {
      throw new IllegalStateException("not an HTTP status line");
    }
    if (status < 200) {
      return;
    }
    @Nullable String connection = head.header("connection");
    keepAlive = connection == null || !connection.equalsIgnoreCase("close");
    sink.head(status);
    left = head.number("content-length");
    @Nullable String coding = head.header("transfer-encoding");
    if (status == 204 || status == 304 || left == 0) {
      finish(keepAlive);
    } else if (coding != null && coding.toLowerCase(java.util.Locale.ROOT).endsWith("chunked")) {
      state = State.CHUNK_SIZE;
    } else {
      state = left > 0 ? State.FIXED : State.UNTIL_CLOSE;
    }
  }

  private void readData(ByteBuf in) {
    int count = (int) Math.min(in.readableBytes(), left);
    sink.body(in, count);
    in.skipBytes(count);
    left -= count;
    if (left == 0 && state == State.FIXED) {
      finish(keepAlive);
    } else if (left == 0) {
      state = State.CHUNK_END;
    }
  }

  private void readLine(ByteBuf in) {
    int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
    int length = (end < 0 ? in.writerIndex() : end) - in.readerIndex();
    line.append(in.readCharSequence(length, StandardCharsets.ISO_8859_1));
    if (line.length() > 8192) {
      throw new IllegalStateException("a line longer than 8 KiB in a chunked body");
    }
    if (end >= 0) {
      in.skipBytes(1);
      String whole = line.toString().strip();
      line.setLength(0);
      takeLine(whole);
    }
  }

  private void takeLine(String whole) {
    switch (state) {
      case CHUNK_SIZE -> {
        int semicolon = whole.indexOf(';');
        left = Long.parseLong(semicolon < 0 ? whole : whole.substring(0, semicolon).strip(), 16);
        state = left == 0 ? State.TRAILERS : State.CHUNK_DATA;
      }
      case CHUNK_END -> {
        if (!whole.isEmpty()) {
          throw new IllegalStateException("a chunk longer than it said");
        }
        state = State.CHUNK_SIZE;
      }
      default -> {
        if (whole.isEmpty()) {
          finish(keepAlive);
        }
      }
    }
  }

  private void finish(boolean alive) {
    state = State.HEAD;
    head.reset();
    sink.end(alive);
  }
}
