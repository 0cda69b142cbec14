package io.penstock.gateway.faults;

import io.penstock.gateway.testing.FaultyPeer;
import io.penstock.gateway.testing.FaultyStore;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script of the faulty store: one object at every key, over connections that each bring so many
 * bytes a millisecond. The object may be overwritten; chosen answers break off in the middle, are
 * refused or come late.
 *
 * <p>Threading: the scripts' threads and the test's.
 */
final class NarrowOrigin {
  private static final Pattern RANGE =
      Pattern.compile("(?i)\r\nrange: bytes=([0-9]+)-([0-9]+)\r\n");
  private static final Pattern IF_MATCH = Pattern.compile("(?i)\r\nif-match: (\"[^\"]*\")\r\n");
  private static final int TICK_MILLIS = 2;

  private final int bytesPerMilli;
  private final AtomicInteger requests = new AtomicInteger();
  private volatile Version current;
  private volatile IntPredicate breaks = _ -> false;
  private volatile IntPredicate refuses = _ -> false;
  private volatile IntPredicate stalls = _ -> false;

  private record Version(String etag, byte[] bytes) {}

  NarrowOrigin(byte[] object, int bytesPerMilli) {
    this.current = new Version("\"v1\"", object);
    this.bytesPerMilli = bytesPerMilli;
  }

  NarrowOrigin breaking(IntPredicate which) {
    breaks = which;
    return this;
  }

  NarrowOrigin refusing(IntPredicate which) {
    refuses = which;
    return this;
  }

  /** These answers take a second more. */
  NarrowOrigin stalling(IntPredicate which) {
    stalls = which;
    return this;
  }

  void overwrite(byte[] object) {
    current = new Version("\"v2\"", object);
  }

  int requests() {
    return requests.get();
  }

  FaultyStore.Script script() {
    return peer -> {
      for (String head = peer.readRequest(); head != null; head = peer.readRequest()) {
        if (!serve(peer, head, requests.incrementAndGet())) {
          return;
        }
      }
    };
  }

  private boolean serve(FaultyPeer peer, String head, int number) throws Exception {
    Version version = current;
    Thread.sleep(stalls.test(number) ? 1000 : TICK_MILLIS);
    Matcher condition = IF_MATCH.matcher(head);
    if (condition.find() && !condition.group(1).equals(version.etag)) {
      peer.send(Lab.response("412 Precondition Failed", Map.of(), new byte[0]));
      return true;
    }
    if (refuses.test(number)) {
      peer.send(Lab.response("503 Slow Down", Map.of(), new byte[0]));
      return true;
    }
    Matcher range = RANGE.matcher(head);
    boolean part = range.find();
    int from = part ? Integer.parseInt(range.group(1)) : 0;
    int end = part ? Integer.parseInt(range.group(2)) + 1 : version.bytes.length;
    Map<String, String> fields = new LinkedHashMap<>(Map.of("ETag", version.etag));
    if (part) {
      fields.put("Content-Range", "bytes %d-%d/%d".formatted(from, end - 1, version.bytes.length));
    }
    peer.send(Lab.head(part ? "206 Partial Content" : "200 OK", fields, end - from));
    return body(peer, version.bytes, from, breaks.test(number) ? (from + end) / 2 : end, end);
  }

  private boolean body(FaultyPeer peer, byte[] bytes, int from, int stop, int end)
      throws Exception {
    long begun = System.nanoTime();
    int at = from;
    while (at < stop) {
      long due = (System.nanoTime() - begun) / 1_000_000 * bytesPerMilli;
      int count = (int) Math.min(stop - at, from + due - at);
      if (count > 0) {
        peer.send(Arrays.copyOfRange(bytes, at, at + count));
        at += count;
      } else {
        Thread.sleep(TICK_MILLIS);
      }
    }
    return stop == end;
  }
}
