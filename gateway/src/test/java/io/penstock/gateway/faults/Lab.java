package io.penstock.gateway.faults;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A gateway in front of a store that follows scripts. Closing it checks that everything was given
 * back.
 */
final class Lab implements AutoCloseable {
  /** Upstream settings under which nothing takes long. */
  static final String QUICK =
      "pool: {response-timeout: 400ms}, retry: {initial-backoff: 1ms, max-backoff: 5ms}";

  private final FaultyStore store;
  private final Stack stack;
  private final Probe probe;

  private Lab(FaultyStore store, Stack stack) {
    this.store = store;
    this.stack = stack;
    this.probe = new Probe(stack.gateway().admin());
  }

  static Lab of(FaultyStore.Script... scripts) throws IOException {
    return configured("pool: {}", "", scripts);
  }

  /**
   * A gateway with its own settings.
   *
   * @param upstream more settings of the upstream section, in flow style
   * @param more further sections
   */
  static Lab configured(String upstream, String more, FaultyStore.Script... scripts)
      throws IOException {
    FaultyStore store = FaultyStore.start(scripts);
    return start(store, "endpoints: ['" + store.uri() + "'], " + upstream, more);
  }

  /** A gateway whose endpoints are named in {@code upstream}; its own store has no part in it. */
  static Lab elsewhere(String upstream) throws IOException {
    return start(FaultyStore.start(peer -> {}), upstream, "");
  }

  private static Lab start(FaultyStore store, String upstream, String more) {
    String section = "upstream: {access-key: ak, secret-key: sk, " + upstream + "}\n";
    return new Lab(store, Stack.start(store.uri(), "ak", "sk", section + more));
  }

  FaultyStore store() {
    return store;
  }

  Stack stack() {
    return stack;
  }

  Probe probe() {
    return probe;
  }

  RawClient client() throws IOException {
    return new RawClient(stack.s3());
  }

  SignedCall call(String method, String target) {
    return new SignedCall(stack.s3(), method, target);
  }

  /** One signed request on a connection of its own, and its answer. */
  Answer send(RawRequest request) throws IOException {
    try (RawClient client = client()) {
      return client.send(request.bytes()).read(request.method());
    }
  }

  Answer get(String target) throws IOException {
    return send(call("GET", target).sign());
  }

  /** The store's heads that begin so. */
  List<String> requests(String beginning) {
    return store.requests().stream().filter(head -> head.startsWith(beginning)).toList();
  }

  /** The same bytes each time. */
  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** A complete response with these fields, for a store's script. */
  static byte[] response(String status, Map<String, String> fields, byte[] body) {
    return concat(head(status, fields, body.length), body);
  }

  /** The head of a response with this length. */
  static byte[] head(String status, Map<String, String> fields, long length) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + "\r\n");
    fields.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("Content-Length: " + length + "\r\n\r\n");
    return head.toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  static byte[] concat(byte[]... parts) {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Override
  public void close() throws Exception {
    try (store;
        stack) {
      probe.awaitQuiet();
    }
  }
}
