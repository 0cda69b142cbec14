package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import io.penstock.gateway.testing.Stack;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * The same requests asked of the store itself, of a gateway without a cache, and of gateways with
 * one that serves without asking or after asking: the answers are the same, field by field.
 */
class CachedAnswersIT {
  /** What belongs to one answer, or to the gateway. */
  private static final Set<String> OF_ONE_ANSWER =
      Set.of(
          "date",
          "x-amz-request-id",
          "x-amz-id-2",
          "x-penstock-request-id",
          "x-penstock-cache",
          "server",
          "connection",
          "transfer-encoding");

  private record Ask(String target, List<String> fields) {
    @Override
    public String toString() {
      return target + " " + fields;
    }
  }

  @Test
  void aHitLooksLikeTheStoresOwnAnswer() throws Exception {
    try (EmbeddedStore store =
            EmbeddedStore.start(StoreOptions.inMemory(Stack.ACCESS_KEY, Stack.SECRET_KEY));
        Stack uncached = stack(store, "memory: 0");
        Stack fresh = stack(store, "admit-within: 0s, fresh-for: 1h, block-size: 64KiB");
        Stack asking = stack(store, "admit-within: 0s, block-size: 64KiB");
        S3Client direct = Stack.client(store.endpoint(), Stack.ACCESS_KEY, Stack.SECRET_KEY)) {
      direct.createBucket(b -> b.bucket("bkt"));
      String large = put(direct, "large", 200_000);
      String small = put(direct, "small", 1000);
      put(direct, "empty", 0);
      SoftAssertions all = new SoftAssertions();
      for (int round = 0; round < 2; round++) {
        for (Ask ask : asks(large, small)) {
          Answer expected = send(store.endpoint(), ask);
          for (Stack stack : List.of(uncached, fresh, asking)) {
            compare(all, ask, expected, send(stack.s3(), ask));
          }
        }
      }
      all.assertAll();
      Probe probe = new Probe(fresh.gateway().admin());
      assertThat(probe.metric("penstock_cache_reads_total", "hit")).isGreaterThan(30);
      probe = new Probe(asking.gateway().admin());
      assertThat(probe.metric("penstock_cache_reads_total", "confirmed")).isGreaterThan(10);
    }
  }

  private static Stack stack(EmbeddedStore store, String cache) {
    return Stack.start(
        store.endpoint(), Stack.ACCESS_KEY, Stack.SECRET_KEY, "cache: {" + cache + "}\n");
  }

  private static String put(S3Client client, String key, int length) {
    return client
        .putObject(
            PutObjectRequest.builder()
                .bucket("bkt")
                .key(key)
                .contentType("image/x-test")
                .cacheControl("max-age=60")
                .metadata(Map.of("colour", "blue"))
                .build(),
            RequestBody.fromBytes(Lab.bytes(length)))
        .eTag();
  }

  private static List<Ask> asks(String large, String small) {
    List<Ask> asks = new ArrayList<>();
    for (String key : List.of("large", "small", "empty", "missing")) {
      String target = "/bkt/" + key;
      asks.add(new Ask(target, List.of()));
      for (String range :
          List.of(
              "0-0",
              "0-",
              "0-99",
              "100-999",
              "999-1000",
              "1000-1001",
              "65535-65536",
              "65536-131071",
              "-1",
              "-70000",
              "-999999",
              "199999-",
              "200000-",
              "5-4",
              "x-y",
              "0-1,4-5",
              "-0")) {
        asks.add(new Ask(target, List.of("Range", "bytes=" + range)));
      }
    }
    for (String[] object : new String[][] {{"large", large}, {"small", small}}) {
      String target = "/bkt/" + object[0];
      for (String condition : List.of("If-Match", "If-None-Match")) {
        asks.add(new Ask(target, List.of(condition, object[1])));
        asks.add(new Ask(target, List.of(condition, "\"other\"")));
        asks.add(new Ask(target, List.of(condition, object[1], "Range", "bytes=10-20")));
        asks.add(new Ask(target, List.of(condition, "\"other\"", "Range", "bytes=10-20")));
      }
      for (String condition : List.of("If-Modified-Since", "If-Unmodified-Since")) {
        asks.add(new Ask(target, List.of(condition, "Tue, 01 Jan 2019 00:00:00 GMT")));
        asks.add(new Ask(target, List.of(condition, "Fri, 01 Jan 2027 00:00:00 GMT")));
        asks.add(new Ask(target, List.of(condition, "no date")));
      }
      asks.add(new Ask(target, List.of("If-Match", object[1], "If-None-Match", "\"other\"")));
      asks.add(new Ask(target, List.of("x-amz-checksum-mode", "ENABLED")));
      asks.add(new Ask(target + "?response-content-type=text%2Fplain", List.of()));
      asks.add(new Ask(target, List.of("Cache-Control", "no-cache")));
    }
    return asks;
  }

  private static Answer send(URI server, Ask ask) throws Exception {
    SignedCall call = new SignedCall(server, "GET", ask.target());
    for (int i = 0; i < ask.fields().size(); i += 2) {
      call.field(ask.fields().get(i), ask.fields().get(i + 1));
    }
    try (RawClient client = new RawClient(server)) {
      return client.send(call.sign().bytes()).read("GET");
    }
  }

  private static void compare(SoftAssertions all, Ask ask, Answer expected, Answer answer) {
    all.assertThat(answer.status()).as("%s", ask).isEqualTo(expected.status());
    all.assertThat(answer.clean()).as("%s", ask).isTrue();
    if (expected.status() < 300) {
      all.assertThat(answer.body()).as("%s", ask).isEqualTo(expected.body());
      all.assertThat(fields(answer)).as("%s", ask).isEqualTo(fields(expected));
    }
  }

  private static Map<String, String> fields(Answer answer) {
    Map<String, String> fields = new TreeMap<>(answer.fields());
    fields.keySet().removeAll(OF_ONE_ANSWER);
    if (answer.status() == 206) {
      fields.keySet().removeIf(name -> name.startsWith("x-amz-checksum-"));
    }
    return fields;
  }
}
