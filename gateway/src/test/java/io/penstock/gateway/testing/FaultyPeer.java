package io.penstock.gateway.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection of the {@link FaultyStore}, as its script sees it.
 *
 * <p>Threading: the script's thread.
 */
public final class FaultyPeer {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)\r\n");

  private static final byte[] INTERIM =
      "HTTP/1.1 102 Processing\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  /** How the other side went away. */
  public enum End {
    CLOSED,
    RESET
  }

  private final Socket socket;
  private final Socket tcp;
  private final InputStream in;
  private final List<String> requests;
  private byte[] body = new byte[0];

  /**
   * @param socket what the script talks through
   * @param tcp what lies below; the same unless there is TLS
   */
  FaultyPeer(Socket socket, Socket tcp, List<String> requests) throws IOException {
    this.socket = socket;
    this.tcp = tcp;
    this.in = socket.getInputStream();
    this.requests = requests;
  }

  /** Reads a request with its body; returns its head, or null if the client has closed. */
  public String readRequest() throws IOException {
    String head = readHead();
    if (head != null) {
      Matcher length = LENGTH.matcher(head);
      body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
    }
    return head;
  }

  /** Reads a request's head only, or null if the client has closed. */
  public String readHead() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      head.write(b);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    requests.add(text);
    return text;
  }

  /** Reads this many bytes of a body. */
  public byte[] read(int bytes) throws IOException {
    return in.readNBytes(bytes);
  }

  /** The body of the request read last; shorter than announced if the client stopped. */
  public byte[] body() {
    return body;
  }

  public void send(String latin1) throws IOException {
    send(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Sends until the socket has taken all or the client left; returns how many were taken. */
  public long sendUpTo(long bytes, int pieceSize) {
    byte[] piece = new byte[pieceSize];
    long sent = 0;
    try {
      while (sent < bytes) {
        int now = (int) Math.min(pieceSize, bytes - sent);
        socket.getOutputStream().write(piece, 0, now);
        sent += now;
      }
    } catch (IOException e) {
      // the client left
    }
    return sent;
  }

  /** Sends no more; the client sees an orderly end but may still send. */
  public void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  public void close() throws IOException {
    socket.close();
  }

  /** Closes the connection without the farewell that TLS has. */
  public void cut() throws IOException {
    tcp.close();
  }

  /** Closes so that the client sees a reset. */
  public void reset() throws IOException {
    tcp.setSoLinger(true, 0);
    tcp.close();
  }

  /**
   * Reads nothing until the client has reset the connection; fails after a while if it does not.
   * What arrived before stays unread, so only a reset can be noticed, by writing.
   */
  public void awaitReset() throws InterruptedException {
    long deadline = System.nanoTime() + Gate.PATIENCE.toNanos();
    try {
      while (System.nanoTime() - deadline < 0) {
        socket.getOutputStream().write(INTERIM);
        Thread.sleep(20);
      }
    } catch (IOException reset) {
      return;
    }
    throw new AssertionError("the client did not leave");
  }

  /** Reads and drops until the client closes or resets. */
  public End awaitEnd() throws IOException {
    byte[] rest = new byte[8192];
    try {
      while (in.read(rest) >= 0) {
        // only the end matters
      }
      return End.CLOSED;
    } catch (SocketException e) {
      return End.RESET;
    }
  }
}
