package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.ModelStore;
import io.penstock.gateway.testing.ModelStore.Version;
import io.penstock.gateway.testing.RawClient;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client that reads at random, sometimes some ranges in order, leaves at random, and checks
 * every byte against the model.
 */
final class FireReader {
  private static final int BUFFER = 16 << 10;

  /** How a reader that goes through an object does it. */
  private static final int STEP = 100_000;

  private static final int STEPS = 8;

  private final ModelStore store;
  private final URI gateway;
  private final SplittableRandom random;
  private final int keys;
  private final Function<String, Version> current;
  private final Map<String, byte[]> signed = new HashMap<>();
  private Socket socket;
  private InputStream in;
  private long whole;
  private long cancelled;
  private long failed;

  /**
   * @param current the version of a key that every read from now on must see, or a later one
   */
  FireReader(
      ModelStore store,
      URI gateway,
      SplittableRandom random,
      int keys,
      Function<String, Version> current) {
    this.current = current;
    this.store = store;
    this.gateway = gateway;
    this.random = random;
    this.keys = keys;
  }

  long whole() {
    return whole;
  }

  long cancelled() {
    return cancelled;
  }

  long failed() {
    return failed;
  }

  /** Overwrites {@code key} through the gateway; the ETag that was made, if one was. */
  static Optional<String> put(URI gateway, String key) {
    try (RawClient client = new RawClient(gateway)) {
      var put = new SignedCall(gateway, "PUT", "/b/" + key).body(new byte[] {1}).sign();
      RawClient.Answer answer = client.send(put.bytes()).read("PUT");
      // the model's store may ask to slow down
      assertThat(answer.status()).isIn(200, 503);
      return Optional.ofNullable(answer.fields().get("etag"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void read(int requests) {
    try {
      for (int left = requests; left > 0; ) {
        String key = "k" + random.nextInt(keys);
        Version before = current.apply(key);
        if (before.size() > 2 * STEP && left > STEPS && random.nextInt(10) == 0) {
          left -= inOrder(key, before);
        } else {
          one(key, before, range(before.size()));
          left--;
        }
      }
      disconnect();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Ranges of one object, each where the one before ended. Such a reader may go on seeing, for a
   * while, what it was seeing; never less.
   */
  private int inOrder(String key, Version first) throws IOException {
    int at = random.nextInt(first.size() - STEP);
    Version seen = first;
    int asked = 0;
    while (asked < STEPS && seen != null && at < seen.size()) {
      seen = one(key, seen, "bytes=" + at + "-" + (at + STEP - 1));
      at += STEP;
      asked++;
    }
    return asked;
  }

  /** The version that was read; null if none was, or not to its end. */
  private @Nullable Version one(String key, Version before, String range) throws IOException {
    connect();
    socket.getOutputStream().write(request(key, range));
    boolean leaves = random.nextInt(5) == 0;
    if (leaves && random.nextBoolean()) {
      cancelled++;
      disconnect();
      return null;
    }
    try {
      Map<String, String> head = head();
      String status = head.get("status");
      if (status.equals("200") || status.equals("206")) {
        return body(key, before, range, head, leaves);
      }
      refused(status, head);
    } catch (IOException broken) {
      failed++;
      disconnect();
    }
    return null;
  }

  private void refused(String status, Map<String, String> head) throws IOException {
    assertThat(status).isIn("412", "416", "500", "502", "503", "504");
    in.skipNBytes(Long.parseLong(head.getOrDefault("content-length", "0")));
    failed++;
    if ("close".equals(head.get("connection"))) {
      disconnect();
    }
  }

  /** Empty for the whole object; sometimes beyond the end, which may have moved meanwhile. */
  private String range(int size) {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "bytes=" + random.nextInt(size) + "-";
      default -> {
        int from = random.nextInt(size);
        yield "bytes=" + from + "-" + (from + random.nextInt(1 + size / 2));
      }
    };
  }

  private @Nullable Version body(
      String key, Version before, String range, Map<String, String> head, boolean leaves)
      throws IOException {
    List<Version> all = store.versions(key);
    Version version =
        all.stream()
            .filter(each -> each.etag().equals(head.get("etag")))
            .findFirst()
            .orElseThrow(() -> new AssertionError("an ETag that never was: " + head));
    assertThat(version.number())
        .as("a version that had been replaced before the request")
        .isGreaterThanOrEqualTo(before.number());
    long length = Long.parseLong(head.get("content-length"));
    long from = 0;
    if (head.get("status").equals("206")) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      from = Long.parseLong(ends[0]);
      long to =
          ends[1].isEmpty()
              ? version.size()
              : Math.min(version.size(), Long.parseLong(ends[1]) + 1);
      assertThat(head.get("content-range"))
          .isEqualTo("bytes " + from + "-" + (to - 1) + "/" + version.size());
      assertThat(length).isEqualTo(to - from);
    } else {
      assertThat(length).isEqualTo(version.size());
    }
    long enough = leaves ? random.nextLong(length) : length;
    compare(version, from, enough);
    if (leaves) {
      cancelled++;
      disconnect();
      return null;
    }
    whole++;
    return version;
  }

  private void compare(Version version, long from, long length) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (long at = 0; at < length; ) {
      int read = in.read(buffer, 0, (int) Math.min(BUFFER, length - at));
      if (read < 0) {
        throw new EOFException("broken off after " + at + " of " + length);
      }
      for (int i = 0; i < read; i++) {
        if (buffer[i] != version.at(from + at + i)) {
          throw new AssertionError("byte " + (from + at + i) + " is not that of " + version);
        }
      }
      at += read;
    }
  }

  private byte[] request(String key, String range) {
    byte[] head =
        signed.computeIfAbsent(
            key, name -> new SignedCall(gateway, "GET", "/b/" + name).sign().headBytes());
    if (range.isEmpty()) {
      return head;
    }
    // Range need not be signed; it goes before the empty line
    byte[] field =
        ("Range: " + range + "\r\n\r\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] all = java.util.Arrays.copyOf(head, head.length - 2 + field.length);
    System.arraycopy(field, 0, all, head.length - 2, field.length);
    return all;
  }

  private Map<String, String> head() throws IOException {
    Map<String, String> fields = new HashMap<>();
    fields.put("status", line().split(" ", 3)[1]);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    return fields;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended inside a head");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private void connect() throws IOException {
    if (socket == null) {
      socket = new Socket(gateway.getHost(), gateway.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
      in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }
  }

  private void disconnect() throws IOException {
    if (socket != null) {
      if (random.nextBoolean()) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
      socket = null;
    }
  }
}
