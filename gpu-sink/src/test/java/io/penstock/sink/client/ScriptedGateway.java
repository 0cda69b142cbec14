package io.penstock.sink.client;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/** Answers each connection as it was told, one after the other, and remembers what was asked. */
public final class ScriptedGateway implements AutoCloseable {
  /** What one connection gets after its request. */
  public interface Answer {
    void write(OutputStream out) throws IOException;
  }

  /** A request as it came. */
  public record Asked(String head, String body) {
    public String path() {
      return head.split(" ", 3)[1];
    }
  }

  private final ServerSocket server;
  private final ArrayDeque<Answer> answers;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final String scheme;

  private ScriptedGateway(ServerSocket server, String scheme, Answer... answers) {
    this.server = server;
    this.scheme = scheme;
    this.answers = new ArrayDeque<>(List.of(answers));
    Thread.ofPlatform().daemon().start(this::serve);
  }

  public static ScriptedGateway of(Answer... answers) throws IOException {
    return new ScriptedGateway(
        new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), "http", answers);
  }

  public static ScriptedGateway tls(SSLContext context, Answer... answers) throws IOException {
    return new ScriptedGateway(
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress()),
        "https",
        answers);
  }

  public URI endpoint() {
    return URI.create(scheme + "://localhost:" + server.getLocalPort());
  }

  public List<Asked> asked() {
    return asked;
  }

  private void serve() {
    while (!answers.isEmpty()) {
      try (Socket socket = server.accept()) {
        asked.add(read(socket.getInputStream()));
        OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        answers.remove().write(out);
        out.flush();
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private static Asked read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no request");
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    int length =
        text.lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .sum();
    return new Asked(text, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  /** A stream in chunks of that size, whole. */
  public static Answer chunked(byte[] stream, int size) {
    return out -> {
      head(out);
      chunks(out, stream, size);
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    };
  }

  /** A stream that was cut: the connection ends within the response. */
  public static Answer cut(byte[] stream, int size) {
    return out -> {
      head(out);
      chunks(out, stream, size);
    };
  }

  private static void head(OutputStream out) throws IOException {
    text(
        out,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
            + "Content-Type: application/vnd.apache.arrow.stream\r\n\r\n");
  }

  private static void chunks(OutputStream out, byte[] stream, int size) throws IOException {
    for (int at = 0; at < stream.length; at += size) {
      byte[] chunk = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + size));
      text(out, Integer.toHexString(chunk.length) + ";name=value\r\n");
      out.write(chunk);
      text(out, "\r\n");
    }
  }

  /** An answer of known length. */
  public static Answer answer(int status, String type, byte[] body) {
    return out -> {
      text(
          out,
          "HTTP/1.1 %d Whatever\r\ncontent-length: %d\r\ncontent-type: %s\r\n\r\n"
              .formatted(status, body.length, type));
      out.write(body);
    };
  }

  /** An S3 error document. */
  public static Answer refused(int status, String code) {
    return answer(
        status,
        "application/xml",
        "<Error><Code>%s</Code><Message>because &amp; so</Message><RequestId>r1</RequestId></Error>"
            .formatted(code)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static void text(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
