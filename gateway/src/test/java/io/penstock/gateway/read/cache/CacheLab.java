package io.penstock.gateway.read.cache;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.ObjectOrigin;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** A gateway with a cache in front of a store whose every request is on record. */
final class CacheLab implements AutoCloseable {
  private final ObjectOrigin origin;
  private final FaultyStore store;
  private final Stack stack;
  private final S3Client client;

  private CacheLab(ObjectOrigin origin, FaultyStore store, Stack stack) {
    this.origin = origin;
    this.store = store;
    this.stack = stack;
    this.client = stack.client();
  }

  /**
   * @param cache settings of the section, in flow style
   */
  static CacheLab start(String cache) throws IOException {
    return start(cache, "");
  }

  static CacheLab start(String cache, String more) throws IOException {
    ObjectOrigin origin = new ObjectOrigin();
    FaultyStore store = FaultyStore.start(origin);
    return new CacheLab(
        origin, store, Stack.start(store.uri(), "ak", "sk", "cache: {" + cache + "}\n" + more));
  }

  ObjectOrigin origin() {
    return origin;
  }

  Stack stack() {
    return stack;
  }

  S3Client client() {
    return client;
  }

  ResponseBytes<GetObjectResponse> get(String key) {
    return client.getObjectAsBytes(r -> r.bucket("bkt").key(key));
  }

  ResponseBytes<GetObjectResponse> get(String key, long first, long last) {
    return client.getObjectAsBytes(
        GetObjectRequest.builder()
            .bucket("bkt")
            .key(key)
            .range("bytes=" + first + "-" + last)
            .build());
  }

  void put(String key, byte[] bytes) {
    client.putObject(r -> r.bucket("bkt").key(key), RequestBody.fromBytes(bytes));
  }

  /** GETs that the store has answered with bytes, or could have. */
  List<String> reads() {
    return store.requests().stream().filter(head -> head.startsWith("GET ")).toList();
  }

  /** Those that only asked whether a version is still current. */
  List<String> questions() {
    return reads().stream()
        .filter(head -> head.toLowerCase().contains("\nif-none-match:"))
        .toList();
  }

  double metric(String name, String label) throws IOException {
    try (RawClient admin = new RawClient(stack.gateway().admin())) {
      String text = admin.send("GET /metrics HTTP/1.1\r\nHost: admin\r\n\r\n").read().text();
      Matcher sample = Pattern.compile("(?m)^" + name + "(\\{[^}]*})? ([-+.eE0-9]+)").matcher(text);
      double sum = 0;
      while (sample.find()) {
        if (String.valueOf(sample.group(1)).contains(label)) {
          sum += Double.parseDouble(sample.group(2));
        }
      }
      return sum;
    }
  }

  static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte[] part(byte[] bytes, int first, int last) {
    return Arrays.copyOfRange(bytes, first, last + 1);
  }

  @Override
  public void close() throws Exception {
    try (store;
        stack) {
      client.close();
    }
  }
}
