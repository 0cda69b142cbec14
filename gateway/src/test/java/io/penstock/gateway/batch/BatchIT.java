package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.wire.Label;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Batches through the whole gateway from a real store. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class BatchIT {
  private static final String BUCKET = "pictures";
  private static final int OBJECTS = 100;
  private static EmbeddedStore store;
  private static Stack stack;
  private static BatchClient client;

  @BeforeAll
  static void start() {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", "batch: {max-items: 2000}\n");
    client = new BatchClient(stack.s3());
    try (S3Client s3 = Stack.client(store.endpoint(), "ak", "sk")) {
      s3.createBucket(r -> r.bucket(BUCKET));
      for (int i = 0; i < OBJECTS; i++) {
        String key = key(i);
        s3.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromBytes(object(i)));
      }
      byte[] large = new byte[3_000_000];
      new Random(7).nextBytes(large);
      s3.putObject(r -> r.bucket(BUCKET).key("large"), RequestBody.fromBytes(large));
      String manifest =
          String.join(
              "\n",
              IntStream.range(0, 20)
                  .mapToObj(i -> "{\"key\": \"" + key(i) + "\", \"label\": " + i + "}")
                  .toList());
      s3.putObject(r -> r.bucket(BUCKET).key("manifest"), RequestBody.fromString(manifest));
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    stack.close();
    store.close();
  }

  @AfterEach
  void nothingIsHeld() throws Exception {
    while (reserved() > 0) {
      Thread.sleep(10);
    }
  }

  private static double reserved() throws Exception {
    return client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin());
  }

  private static String key(int i) {
    return "train/%04d".formatted(i);
  }

  /** The number of the object in its first bytes, then as many as its number says. */
  private static byte[] object(int i) {
    byte[] bytes = new byte[4 + i * 97];
    new Random(i).nextBytes(bytes);
    bytes[0] = (byte) i;
    return bytes;
  }

  private static String items(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> '"' + key(i) + '"')
        .collect(Collectors.joining(","));
  }

  private static String request(String items, String more) {
    return "{\"version\": 1, \"bucket\": \"%s\", \"items\": [%s]%s}".formatted(BUCKET, items, more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void objectsComeInTheirOrder(String compression) throws Exception {
    var stream =
        client.batch(
            "/-/batch",
            request(
                items(0, OBJECTS),
                ", \"batch-size\": 16, \"compression\": \"" + compression + "\""));
    assertThat(stream.error()).isEmpty();
    assertThat(stream.batches()).hasSize(7);
    assertThat(stream.batches().getLast()).hasSize(4);
    for (int i = 0; i < OBJECTS; i++) {
      var row = stream.rows().get(i);
      assertThat(row.head().index()).isEqualTo(i);
      assertThat(row.head().key()).isEqualTo(key(i));
      assertThat(row.head().etag()).isPresent();
      assertThat(row.head().size()).hasValue(object(i).length);
      assertThat(row.payload().orElseThrow()).isEqualTo(object(i));
    }
  }

  @Test
  void theSameRequestGivesTheSameBytes() throws Exception {
    String request = request(items(0, OBJECTS) + ", \"large\"", ", \"batch-size\": 10");
    byte[] first = client.post("/-/batch", request).body();
    assertThat(client.post("/-/batch", request).body()).isEqualTo(first);
  }

  @Test
  void asReadyGivesEveryItemOnce() throws Exception {
    var stream =
        client.batch(
            "/-/batch", request(items(0, OBJECTS), ", \"batch-size\": 7, \"order\": \"as-ready\""));
    assertThat(stream.error()).isEmpty();
    assertThat(stream.rows().stream().map(row -> (int) row.head().index()))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, OBJECTS).boxed().toList());
    stream
        .rows()
        .forEach(
            row ->
                assertThat(row.payload().orElseThrow())
                    .isEqualTo(object((int) row.head().index())));
  }

  @Test
  void aMissingObjectIsARow() throws Exception {
    var stream =
        client.batch("/-/batch", request(items(0, 2) + ", \"nothing\", " + items(2, 3), ""));
    assertThat(stream.error()).isEmpty();
    assertThat(stream.rows()).hasSize(4);
    assertThat(stream.rows().get(2).code()).isEqualTo("NoSuchKey");
    assertThat(stream.rows().get(2).status().http()).isEqualTo(404);
    assertThat(stream.rows().get(2).payload()).isEmpty();
    assertThat(stream.rows().get(3).payload()).isPresent();
  }

  @Test
  void aMissingObjectCanEndTheStream() throws Exception {
    String fail = ", \"batch-size\": 2, \"on-error\": \"fail\"";
    var stream =
        client.batch("/-/batch", request(items(0, 4) + ", \"nothing\", " + items(4, 9), fail));
    assertThat(stream.batches()).hasSize(2);
    assertThat(stream.error()).hasValue("NoSuchKey");
    var refused = client.post("/-/batch", request("\"nothing\"", fail));
    assertThat(refused.statusCode()).isEqualTo(404);
    assertThat(text(refused.body())).contains("<Code>NoSuchKey</Code>", "item 0 (nothing)");
  }

  @Test
  void rangesAndLabels() throws Exception {
    var stream =
        client.batch(
            "/-/batch",
            request(
                "{\"key\": \"large\", \"range\": {\"offset\": 1000, \"length\": 10}, \"label\": \"a\"},"
                    + "{\"key\": \"large\", \"range\": {\"offset\": 5000000, \"length\": 10}, \"label\": \"b\"}",
                ""));
    byte[] large = new byte[3_000_000];
    new Random(7).nextBytes(large);
    assertThat(stream.rows().get(0).payload().orElseThrow())
        .isEqualTo(Arrays.copyOfRange(large, 1000, 1010));
    assertThat(stream.rows().get(0).label()).isEqualTo(new Label.Text("a"));
    assertThat(stream.rows().get(1).code()).isEqualTo("InvalidRange");
    assertThat(stream.rows().get(1).label()).isEqualTo(new Label.Text("b"));
  }

  @Test
  void aManifestNamesItems() throws Exception {
    var stream =
        client.batch(
            "/-/batch",
            "{\"version\": 1, \"bucket\": \"%s\", \"manifest\": \"manifest\"}".formatted(BUCKET));
    assertThat(stream.rows()).hasSize(20);
    assertThat(stream.rows().get(13).label()).isEqualTo(new Label.Whole(13));
    assertThat(stream.rows().get(13).payload().orElseThrow()).isEqualTo(object(13));
  }

  @Test
  void aPrefixNamesItems() throws Exception {
    var stream =
        client.batch(
            "/-/batch",
            "{\"version\": 1, \"bucket\": \"%s\", \"prefix\": \"train/\"}".formatted(BUCKET));
    assertThat(stream.rows().stream().map(row -> row.head().key()))
        .containsExactlyElementsOf(IntStream.range(0, OBJECTS).mapToObj(BatchIT::key).toList());
  }

  private static String epoch(int rank, int world, int resumeAt) {
    return """
        {"version": 1, "bucket": "%s", "prefix": "train/", "batch-size": 8,
         "epoch": {"seed": 42, "rank": %d, "world-size": %d, "resume-at": %d}}"""
        .formatted(BUCKET, rank, world, resumeAt);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void ranksShareAnEpoch(int world) throws Exception {
    List<Integer> seen = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      var stream = client.batch("/-/epochs", epoch(rank, world, 0));
      assertThat(stream.error()).isEmpty();
      for (var row : stream.rows()) {
        seen.add((int) row.payload().orElseThrow()[0]);
      }
    }
    assertThat(seen).hasSize(OBJECTS).doesNotHaveDuplicates();
  }

  @Test
  void ranksOfOneEpochMayAskTwoGateways() throws Exception {
    List<Integer> seen = new ArrayList<>();
    try (Stack other = Stack.start(store.endpoint(), "ak", "sk", "");
        BatchClient neighbour = new BatchClient(other.s3())) {
      for (int rank = 0; rank < 8; rank++) {
        BatchClient asked = rank % 2 == 0 ? client : neighbour;
        for (var row : asked.batch("/-/epochs", epoch(rank, 8, 0)).rows()) {
          seen.add((int) row.payload().orElseThrow()[0]);
        }
      }
      byte[] here = client.post("/-/epochs", epoch(3, 8, 0)).body();
      assertThat(neighbour.post("/-/epochs", epoch(3, 8, 0)).body()).isEqualTo(here);
    }
    assertThat(seen).hasSize(OBJECTS).doesNotHaveDuplicates();
  }

  @Test
  void aTenantReadsOnlyWhatItMay() throws Exception {
    String tenant =
        """
        tenants:
          - name: demo
            access-key: %s
            secret-key: %s
            policy: {rules: [{bucket: pictures, prefix: train/000, access: [read]}]}
        """
            .formatted(Stack.ACCESS_KEY, Stack.SECRET_KEY);
    try (Stack walled = Stack.start(store.endpoint(), "ak", "sk", tenant);
        BatchClient stranger = new BatchClient(walled.s3())) {
      var stream = stranger.batch("/-/batch", request(items(9, 11), ""));
      assertThat(stream.rows().get(0).payload().orElseThrow()).isEqualTo(object(9));
      assertThat(stream.rows().get(1).code()).isEqualTo("AccessDenied");
      assertThat(stream.rows().get(1).payload()).isEmpty();
      for (String source :
          List.of(
              "\"bucket\": \"pictures\", \"prefix\": \"train/\"",
              "\"bucket\": \"pictures\", \"manifest\": \"manifest\"",
              "\"bucket\": \"other\", \"items\": [\"a\"]")) {
        var refused = stranger.post("/-/batch", "{\"version\": 1, " + source + "}");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(text(refused.body())).contains("<Code>AccessDenied</Code>");
      }
    }
  }

  @Test
  void aResumedEpochHasExactlyTheRest() throws Exception {
    byte[] whole = client.post("/-/epochs", epoch(1, 2, 0)).body();
    byte[] rest = client.post("/-/epochs", epoch(1, 2, 3)).body();
    var batches = BatchClient.read(whole).batches();
    var remaining = BatchClient.read(rest).batches();
    assertThat(remaining).hasSize(batches.size() - 3);
    // the schemas differ in one word of their metadata; every byte that follows is the same
    int frames = rest.length - schemaFrame(rest);
    assertThat(Arrays.copyOfRange(rest, rest.length - frames, rest.length))
        .isEqualTo(Arrays.copyOfRange(whole, whole.length - frames, whole.length));
  }

  /** Continuation mark, length of the metadata, metadata. */
  private static int schemaFrame(byte[] stream) {
    return 8 + ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /-/batch  | {                                                       | 400 | MalformedJSON
          /-/batch  | {"version": 1, "bucket": "pictures"}                    | 400 | InvalidArgument
          /-/batch  | {"version": 1, "bucket": "pictures", "item": []}        | 400 | InvalidArgument
          /-/batch  | {"version": 1, "bucket": "none-such", "prefix": ""}     | 404 | NoSuchBucket
          /-/batch  | {"version": 1, "bucket": "pictures", "manifest": "no"}  | 404 | NoSuchKey
          /-/batch  | {"version": 1, "bucket": "pictures", "manifest": "large"} | 400 | MalformedJSON
          /-/batch  | {"version": 1, "bucket": "pictures", "prefix": "", "decode": "gif"} | 400 | InvalidArgument
          /-/batch  | {"version": 1, "bucket": "pictures", "prefix": "", "decode": {"as": "image", "height": 1, "width": 1, "hue": 3}} | 400 | InvalidArgument
          /-/batch  | {"version": 1, "bucket": "pictures", "prefix": "", "transform": {"model": "m"}} | 501 | NotImplemented
          /-/batch  | {"version": 1, "bucket": "pictures", "prefix": "", "epoch": {"seed": 1}} | 400 | InvalidArgument
          /-/epochs | {"version": 1, "bucket": "pictures", "prefix": ""}      | 400 | InvalidArgument
          """)
  void whatCannotBeServedIsRefused(String path, String json, int status, String code)
      throws Exception {
    var answer = client.post(path, json);
    assertThat(text(answer.body())).contains("<Code>" + code + "</Code>");
    assertThat(answer.statusCode()).isEqualTo(status);
  }

  @Test
  void aRequestAboveTheLimitIsRefused() throws Exception {
    var answer = client.post("/-/batch", request("\"" + "k".repeat(11 << 20) + "\"", ""));
    assertThat(text(answer.body())).contains("<Code>EntityTooLarge</Code>");
  }

  @Test
  void aLongRequestIsServed() throws Exception {
    var stream =
        client.batch(
            "/-/batch",
            request(
                IntStream.range(0, 1500)
                    .mapToObj(i -> "{\"key\": \"" + key(i % OBJECTS) + "\", \"label\": " + i + "}")
                    .collect(Collectors.joining(",")),
                ""));
    assertThat(stream.rows()).hasSize(1500);
    assertThat(stream.rows().get(1499).label()).isEqualTo(new Label.Whole(1499));
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
