package io.penstock.gateway.testing;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;

/**
 * A store that answers every GET with the number of bytes its key names ({@code /bucket/67108864}),
 * as fast as they are taken, from one small buffer: for tests with many and large objects. Byte
 * {@code i} is {@code (byte) (i % 251)}.
 */
public final class FloodStore implements AutoCloseable {
  private static final int PERIOD = 251;
  private static final Buffer PATTERN = pattern(PERIOD * 261);

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server = vertx.createHttpServer().requestHandler(FloodStore::serve);
  private final int port = Stack.await(server.listen(0, "127.0.0.1")).actualPort();

  private static Buffer pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % PERIOD);
    }
    return Buffer.buffer(bytes);
  }

  /** The byte at {@code offset} of every object. */
  public static byte at(long offset) {
    return (byte) (offset % PERIOD);
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  private static void serve(HttpServerRequest request) {
    String path = request.path();
    long length = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
    HttpServerResponse response = request.response();
    response
        .putHeader("content-length", Long.toString(length))
        .putHeader("etag", "\"flood-" + length + "\"");
    write(response, length);
  }

  private static void write(HttpServerResponse response, long remaining) {
    long left = remaining;
    while (left > 0 && !response.closed()) {
      Buffer next = left < PATTERN.length() ? PATTERN.slice(0, (int) left) : PATTERN;
      response.write(next);
      left -= next.length();
      if (left > 0 && response.writeQueueFull()) {
        long rest = left;
        response.drainHandler(
            _ -> {
              response.drainHandler(null);
              write(response, rest);
            });
        return;
      }
    }
    if (!response.closed()) {
      response.end();
    }
  }

  @Override
  public void close() {
    Stack.await(vertx.close());
  }
}
