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
import java.util.SplittableRandom;

/** One client that reads at random, leaves at random, and checks every byte against the model. */
final class FireReader {
  private static final int BUFFER = 16 << 10;

  private final ModelStore store;
  private final URI gateway;
  private final SplittableRandom random;
  private final int keys;
  private final Map<String, byte[]> signed = new HashMap<>();
  private Socket socket;
  private InputStream in;
  private long whole;
  private long cancelled;
  private long failed;

  FireReader(ModelStore store, URI gateway, SplittableRandom random, int keys) {
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

  /** Overwrites {@code key} through the gateway. */
  static void put(URI gateway, String key) {
    try (RawClient client = new RawClient(gateway)) {
      var put = new SignedCall(gateway, "PUT", "/b/" + key).body(new byte[] {1}).sign();
      // the model's store may ask to slow down
      assertThat(client.send(put.bytes()).read("PUT").status()).isIn(200, 503);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void read(int requests) {
    try {
      for (int i = 0; i < requests; i++) {
        one("k" + random.nextInt(keys));
      }
      disconnect();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void one(String key) throws IOException {
    Version before = store.versions(key).getLast();
    String range = range(before.size());
    connect();
    socket.getOutputStream().write(request(key, range));
    boolean leaves = random.nextInt(5) == 0;
    if (leaves && random.nextBoolean()) {
      cancelled++;
      disconnect();
      return;
    }
    try {
      Map<String, String> head = head();
      String status = head.get("status");
      if (status.equals("200") || status.equals("206")) {
        body(key, before, range, head, leaves);
      } else {
        refused(status, head);
      }
    } catch (IOException broken) {
      failed++;
      disconnect();
    }
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

  private void body(
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
    } else {
      whole++;
    }
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
