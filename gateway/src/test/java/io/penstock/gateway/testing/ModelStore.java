package io.penstock.gateway.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store whose every byte can be foretold: an object's content follows from its key, its version
 * and the offset. A PUT, whatever its body, makes the next version, of another size. Reads obey
 * Range, If-Match and If-None-Match, and go wrong at random as often as they are told to.
 */
public final class ModelStore implements AutoCloseable {

  /** One content of a key. */
  public record Version(String key, int number, int size) {
    public String etag() {
      return "\"" + key + "-" + number + "\"";
    }

    /** The byte at {@code offset}. */
    public byte at(long offset) {
      long word = mix(key.hashCode() * 31L + number + (offset >> 3) * 0x9E3779B97F4A7C15L);
      return (byte) (word >>> ((offset & 7) * 8));
    }

    byte[] bytes(int from, int to) {
      byte[] bytes = new byte[to - from];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = at(from + i);
      }
      return bytes;
    }
  }

  /**
   * How often reads go wrong, each a share of all reads.
   *
   * @param breaks the connection is reset somewhere in the body
   * @param refusals 503
   * @param stalls nothing is sent for {@code stallMillis} somewhere in the body
   * @param slow some 8 MB/s, so that a second connection pays
   */
  public record Faults(
      double breaks, double refusals, double stalls, int stallMillis, double slow) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0);
  }

  private static final int CHUNK = 16 << 10;
  private static final int SLOW_MILLIS = 2;

  private final ServerSocket server;
  private final Faults faults;
  private final SplittableRandom seeds;
  private final Map<String, List<Version>> history = new ConcurrentHashMap<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  public ModelStore(Faults faults, long seed) throws IOException {
    this.server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    this.faults = faults;
    this.seeds = new SplittableRandom(seed);
    Thread.ofVirtual().start(this::accept);
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** Makes the next version of {@code key}, as if somebody had written it elsewhere. */
  public Version write(String key, int size) {
    List<Version> versions = history.computeIfAbsent(key, _ -> new CopyOnWriteArrayList<>());
    synchronized (versions) {
      Version next = new Version(key, versions.size(), size);
      versions.add(next);
      return next;
    }
  }

  /** All versions of {@code key} up to now, the current one last. */
  public List<Version> versions(String key) {
    return history.getOrDefault(key, List.of());
  }

  /** GETs answered with a body. */
  public long reads() {
    return reads.get();
  }

  /** Body bytes sent. */
  public long bytesSent() {
    return bytes.get();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        open.add(socket);
        SplittableRandom random;
        synchronized (seeds) {
          random = seeds.split();
        }
        Thread.ofVirtual().start(() -> serve(socket, random));
      } catch (IOException closing) {
        return;
      }
    }
  }

  private void serve(Socket socket, SplittableRandom random) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (true) {
        List<String> head = head(in);
        if (head.isEmpty() || !answer(head, in, out, random)) {
          return;
        }
      }
    } catch (IOException gone) {
      // the gateway may leave at any time
    } finally {
      open.remove(socket);
    }
  }

  private static List<String> head(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        if (line.isEmpty()) {
          return lines;
        }
        lines.add(line.toString());
        line.setLength(0);
      } else if (c != '\r') {
        line.append((char) c);
      }
    }
    return List.of();
  }

  /** Whether the connection goes on. */
  private boolean answer(
      List<String> head, InputStream in, OutputStream out, SplittableRandom random)
      throws IOException {
    String[] request = head.getFirst().split(" ", 3);
    Map<String, String> fields = new HashMap<>();
    for (String line : head.subList(1, head.size())) {
      int colon = line.indexOf(':');
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    in.skipNBytes(Long.parseLong(fields.getOrDefault("content-length", "0")));
    String key = request[1].substring(request[1].lastIndexOf('/') + 1).replaceFirst("\\?.*", "");
    if (request[0].equals("PUT")) {
      Version written = write(key, 1 + random.nextInt(2_000_000));
      return plain(out, "200 OK", "ETag: " + written.etag() + "\r\n");
    }
    List<Version> versions = versions(key);
    if (versions.isEmpty()) {
      return plain(out, "404 Not Found", "");
    }
    Version current = versions.getLast();
    String ifMatch = fields.get("if-match");
    if (ifMatch != null && !ifMatch.equals(current.etag())) {
      return plain(out, "412 Precondition Failed", "");
    }
    if (random.nextDouble() < faults.refusals()) {
      return plain(out, "503 Slow Down", "");
    }
    if (current.etag().equals(fields.get("if-none-match"))) {
      return plain(out, "304 Not Modified", "ETag: " + current.etag() + "\r\n");
    }
    return read(request[0], fields.get("range"), current, out, random);
  }

  private static boolean plain(OutputStream out, String status, String fields) throws IOException {
    String length = status.startsWith("304") ? "" : "Content-Length: 0\r\n";
    out.write(text("HTTP/1.1 " + status + "\r\n" + fields + length + "\r\n"));
    return true;
  }

  private boolean read(
      String method, String range, Version version, OutputStream out, SplittableRandom random)
      throws IOException {
    int from = 0;
    int to = version.size();
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      from = Integer.parseInt(ends[0]);
      to = ends[1].isEmpty() ? to : (int) Math.min(to, Long.parseLong(ends[1]) + 1);
      if (from >= version.size()) {
        return plain(out, "416 Range Not Satisfiable", "");
      }
    }
    String status =
        range == null
            ? "200 OK\r\n"
            : "206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\n"
                .formatted(from, to - 1, version.size());
    out.write(
        text(
            "HTTP/1.1 "
                + status
                + "Accept-Ranges: bytes\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\nETag: "
                + version.etag()
                + "\r\nContent-Length: "
                + (to - from)
                + "\r\n\r\n"));
    return method.equals("HEAD") || body(version, from, to, out, random);
  }

  private boolean body(Version version, int from, int to, OutputStream out, SplittableRandom random)
      throws IOException {
    reads.incrementAndGet();
    double fate = random.nextDouble();
    int turn = random.nextInt(from, to);
    boolean slow = random.nextDouble() < faults.slow();
    for (int at = from; at < to; at += CHUNK) {
      int end = Math.min(to, at + CHUNK);
      if (turn >= at && turn < end) {
        if (fate < faults.breaks()) {
          out.write(version.bytes(at, turn));
          return false;
        }
        if (fate < faults.breaks() + faults.stalls()) {
          pause(faults.stallMillis());
        }
      }
      if (slow) {
        pause(SLOW_MILLIS);
      }
      out.write(version.bytes(at, end));
      bytes.addAndGet(end - at);
    }
    return true;
  }

  private static void pause(int millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException ending) {
      throw new IOException(ending);
    }
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
