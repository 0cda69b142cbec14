package io.penstock.gateway.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store for tests of reading: a script for {@link FaultyStore} that keeps objects by path and
 * answers GET with ranges and conditions, PUT and DELETE. It is asked about afterwards by the
 * requests that it has seen.
 *
 * <p>Threading: safe.
 */
public final class ObjectOrigin implements FaultyStore.Script {
  private static final Pattern RANGE = Pattern.compile("(?im)^range: bytes=(\\d+)-(\\d*)\r?$");
  private static final Pattern IF_MATCH = Pattern.compile("(?im)^if-match: (\\S+)\r?$");
  private static final Pattern IF_NONE_MATCH = Pattern.compile("(?im)^if-none-match: (\\S+)\r?$");

  private final Map<String, Version> objects = new ConcurrentHashMap<>();
  private final AtomicInteger versions = new AtomicInteger();
  private volatile Duration latency = Duration.ZERO;

  private record Version(byte[] bytes, String etag) {}

  /** Stores an object as if another client had written it. */
  public ObjectOrigin put(String path, byte[] bytes) {
    objects.put(path, new Version(bytes, "\"v" + versions.incrementAndGet() + "\""));
    return this;
  }

  public void remove(String path) {
    objects.remove(path);
  }

  /** Every answer begins so late. */
  public ObjectOrigin latency(Duration time) {
    latency = time;
    return this;
  }

  /** The current ETag. */
  public String etag(String path) {
    return Optional.ofNullable(objects.get(path)).orElseThrow().etag();
  }

  @Override
  public void run(FaultyPeer peer) throws Exception {
    for (String head = peer.readRequest(); head != null; head = peer.readRequest()) {
      String[] line = head.split(" ", 3);
      String path = line[1].replaceFirst("\\?.*", "");
      Thread.sleep(latency);
      switch (line[0]) {
        case "PUT" -> {
          put(path, peer.body());
          peer.send(head("200 OK", "ETag: " + etag(path) + "\r\n", 0));
        }
        case "DELETE" -> {
          remove(path);
          peer.send("HTTP/1.1 204 No Content\r\n\r\n");
        }
        default -> get(peer, head, objects.get(path));
      }
    }
  }

  private static void get(FaultyPeer peer, String head, Version version) throws Exception {
    if (version == null) {
      peer.send(head("404 Not Found", "", 0));
      return;
    }
    String fields =
        "ETag: "
            + version.etag()
            + "\r\nLast-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\nAccept-Ranges: bytes\r\n"
            + "Content-Type: text/plain\r\nx-amz-request-id: "
            + System.nanoTime()
            + "\r\n";
    if (value(IF_NONE_MATCH, head).filter(version.etag()::equals).isPresent()) {
      peer.send("HTTP/1.1 304 Not Modified\r\n" + fields + "\r\n");
    } else if (value(IF_MATCH, head).filter(tag -> !tag.equals(version.etag())).isPresent()) {
      peer.send(head("412 Precondition Failed", "", 0));
    } else {
      send(peer, head, version, fields);
    }
  }

  private static void send(FaultyPeer peer, String head, Version version, String fields)
      throws Exception {
    int length = version.bytes().length;
    Matcher range = RANGE.matcher(head);
    if (!range.find()) {
      peer.send(head("200 OK", fields, length));
      if (!head.startsWith("HEAD ")) {
        peer.send(version.bytes());
      }
      return;
    }
    int first = Integer.parseInt(range.group(1));
    int last =
        range.group(2).isEmpty()
            ? length - 1
            : Math.min(length - 1, Integer.parseInt(range.group(2)));
    if (first >= length) {
      peer.send(head("416 Range Not Satisfiable", "", 0));
      return;
    }
    String part = "Content-Range: bytes " + first + "-" + last + "/" + length + "\r\n";
    peer.send(head("206 Partial Content", fields + part, last - first + 1));
    peer.send(Arrays.copyOfRange(version.bytes(), first, last + 1));
  }

  private static byte[] head(String status, String fields, long length) {
    return ("HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + length + "\r\n\r\n")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Optional<String> value(Pattern field, String head) {
    Matcher matcher = field.matcher(head);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
