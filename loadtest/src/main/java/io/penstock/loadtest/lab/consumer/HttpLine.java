package io.penstock.loadtest.lab.consumer;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One plain HTTP/1.1 connection, kept open: a request out, a body in, as cheaply as blocking
 * sockets can. Bodies are framed by Content-Length or in chunks (RFC 9112, section 6).
 *
 * <p>Threading: one thread.
 */
final class HttpLine implements AutoCloseable {
  private static final int AHEAD = 64 << 10;
  private static final int OK = 200;

  private final SocketChannel socket;
  private final String host;
  private final ByteBuffer ahead = ByteBuffer.allocateDirect(AHEAD).flip();

  HttpLine(URI endpoint) throws IOException {
    host = endpoint.getHost() + ":" + endpoint.getPort();
    socket = SocketChannel.open(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()));
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** Sends a request without body; the answer must be read to its end before the next one. */
  Body get(String path) throws IOException {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  /** Sends a request with a body of ASCII. */
  Body post(String path, String body) throws IOException {
    return exchange(
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, host, body.length(), body));
  }

  private Body exchange(String request) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
    String status = line();
    long length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring(15).strip());
      }
    }
    var body = new Body(length);
    if (Integer.parseInt(status.substring(9, 12)) != OK) {
      ByteBuffer text = ByteBuffer.allocate(2048);
      while (text.hasRemaining() && body.read(text) >= 0) {}
      throw new IOException(
          status + " " + StandardCharsets.UTF_8.decode(text.flip()).toString().strip());
    }
    return body;
  }

  private String line() throws IOException {
    var text = new StringBuilder();
    for (int c = octet(); c != '\n'; c = octet()) {
      if (c != '\r') {
        text.append((char) c);
      }
    }
    return text.toString();
  }

  private int octet() throws IOException {
    if (!ahead.hasRemaining()) {
      refill();
    }
    return ahead.get() & 0xff;
  }

  private void refill() throws IOException {
    ahead.clear();
    int got = socket.read(ahead);
    ahead.flip();
    if (got < 0) {
      throw new EOFException("the connection was closed in the middle of an answer");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** What is left of one answer. */
  final class Body implements ReadableByteChannel {
    private final boolean chunked;
    private long left;
    private boolean first = true;
    private boolean ended;

    private Body(long length) {
      this.chunked = length < 0;
      this.left = Math.max(0, length);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (left == 0 && chunked && !ended) {
        nextChunk();
      }
      if (left == 0) {
        return -1;
      }
      int room = (int) Math.min(left, target.remaining());
      // small reads come out of one large one; large ones go where they belong
      if (!ahead.hasRemaining() && room < AHEAD / 2) {
        refill();
      }
      int got = ahead.hasRemaining() ? fromAhead(target, room) : fromSocket(target, room);
      left -= got;
      return got;
    }

    private int fromAhead(ByteBuffer target, int room) {
      int count = Math.min(room, ahead.remaining());
      target.put(target.position(), ahead, ahead.position(), count);
      target.position(target.position() + count);
      ahead.position(ahead.position() + count);
      return count;
    }

    private int fromSocket(ByteBuffer target, int room) throws IOException {
      int limit = target.limit();
      int got = socket.read(target.limit(target.position() + room));
      target.limit(limit);
      if (got < 0) {
        throw new EOFException("the connection was closed in the middle of a body");
      }
      return got;
    }

    private void nextChunk() throws IOException {
      if (!first) {
        line();
      }
      first = false;
      left = Long.parseLong(line().split(";", 2)[0].strip(), 16);
      if (left == 0) {
        ended = true;
        line();
      }
    }

    @Override
    public boolean isOpen() {
      return left > 0 || (chunked && !ended);
    }

    @Override
    public void close() {
      // the connection is kept; its owner closes it
    }
  }
}
