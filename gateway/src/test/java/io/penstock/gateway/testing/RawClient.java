package io.penstock.gateway.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A client that sends exactly the bytes it is told and shows exactly what came back: for everything
 * a real client hides.
 */
public final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  public RawClient(URI server) throws IOException {
    socket = new Socket(server.getHost(), server.getPort());
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  /**
   * A response as it was read; {@code body} is what arrived, {@code clean} whether it was framed to
   * its end.
   */
  public record Answer(int status, Map<String, String> fields, byte[] body, boolean clean) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  public RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  public Socket socket() {
    return socket;
  }

  /** Reads one response (interim ones included: their body is empty). */
  public Answer read() throws IOException {
    return read("GET");
  }

  public Answer read(String method) throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    int code = Integer.parseInt(status[1]);
    if (code < 200 || code == 204 || code == 304 || method.equals("HEAD")) {
      return new Answer(code, fields, new byte[0], true);
    }
    return body(code, fields);
  }

  private Answer body(int code, Map<String, String> fields) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean clean = false;
    try {
      if ("chunked".equals(fields.get("transfer-encoding"))) {
        clean = chunks(body);
      } else {
        long length = Long.parseLong(fields.getOrDefault("content-length", "-1"));
        clean = length >= 0 ? copy(body, length) : copy(body, Long.MAX_VALUE) || true;
      }
    } catch (IOException broken) {
      clean = false;
    }
    return new Answer(code, fields, body.toByteArray(), clean);
  }

  private boolean chunks(ByteArrayOutputStream body) throws IOException {
    while (true) {
      long size = Long.parseLong(line(), 16);
      if (size == 0) {
        return line().isEmpty();
      }
      if (!copy(body, size)) {
        return false;
      }
      line();
    }
  }

  private boolean copy(ByteArrayOutputStream body, long length) throws IOException {
    byte[] buffer = new byte[64 << 10];
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        return false;
      }
      body.write(buffer, 0, read);
      left -= read;
    }
    return true;
  }

  /** Whether the server has ended the connection (orderly or not) within the socket's timeout. */
  public boolean ended() {
    try {
      return in.read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended inside a head: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
