package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Features are computed once for all epochs, unless the lot decides about them. */
@ExtendWith(LeakWatch.class)
@Timeout(180)
class KeptFeaturesIT {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolveSibling("examples").toAbsolutePath();
  private static final String BUCKET = "photos";
  private static final String SPLIT = "dense_1:0";
  private static final String MODELS =
      """
      models:
        folder: '%s'
        files:
          - name: mobilenet
            file: mobilenet_v2.onnx
            sha256: 253ebf792d2b3e1e223f3eb6ec9cd27771ace52b530dd682d9b0e9b6f6be8f43
        access-points: [{name: features, bucket: photos, model: mobilenet, split: '%s'}]
      """
          .formatted(EXAMPLES.resolve("models").normalize(), SPLIT);
  private static List<Path> pictures;
  private static EmbeddedStore store;
  private static S3Client behind;
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    try (var files = Files.list(EXAMPLES.resolve("pictures"))) {
      pictures = files.filter(file -> file.toString().endsWith(".jpg")).sorted().toList();
    }
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    behind = Stack.client(store.endpoint(), "ak", "sk");
    behind.createBucket(r -> r.bucket(BUCKET));
    for (Path picture : pictures) {
      put(picture.getFileName().toString(), picture);
    }
  }

  @AfterAll
  static void stop() {
    behind.close();
    store.close();
  }

  private static void put(String key, Path picture) {
    behind.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromFile(picture));
  }

  /** A gateway of one test, and what it has computed and found. */
  private static final class Gateway implements AutoCloseable {
    private final Stack stack;
    private final BatchClient client;

    Gateway(String more) {
      stack = Stack.start(store.endpoint(), "ak", "sk", MODELS + more);
      client = new BatchClient(stack.s3());
    }

    double metric(String name) throws Exception {
      return client.metric(name, "", stack.gateway().admin());
    }

    double computed() throws Exception {
      return metric("penstock_transform_compute_duration_seconds_count");
    }

    double found() throws Exception {
      return metric("penstock_transform_cached_total");
    }

    /** Features by key. */
    Map<String, byte[]> epoch(int number, String decode) throws Exception {
      var stream =
          client.batch(
              "/-/epochs",
              """
              {"version": 1, "bucket": "%s", "prefix": "", "batch-size": 4, "on-error": "fail",
               "epoch": {"seed": 7, "number": %d}, %s
               "transform": {"model": "mobilenet", "split": "%s"}}
              """
                  .formatted(BUCKET, number, decode, SPLIT));
      assertThat(stream.error()).isEmpty();
      Map<String, byte[]> features = new HashMap<>();
      for (var row : stream.rows()) {
        features.put(row.head().key(), row.payload().orElseThrow());
        assertThat(row.head().etag()).isPresent();
        assertThat(row.head().size())
            .hasValue(
                behind.headObject(r -> r.bucket(BUCKET).key(row.head().key())).contentLength());
      }
      return features;
    }

    @Override
    public void close() {
      client.close();
      stack.close();
    }
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (key, bytes) -> assertThat(Arrays.equals(actual.get(key), bytes)).as(key).isTrue());
  }

  @Test
  void theSecondEpochComputesNothing() throws Exception {
    try (Gateway gateway = new Gateway("")) {
      Map<String, byte[]> first = gateway.epoch(0, "");
      assertThat(gateway.computed()).isEqualTo(pictures.size());
      assertThat(gateway.found()).isZero();
      assertSame(gateway.epoch(1, ""), first);
      assertThat(gateway.computed()).isEqualTo(pictures.size());
      assertThat(gateway.found()).isEqualTo(pictures.size());
      try (S3Client s3 = gateway.stack.client()) {
        String key = pictures.getFirst().getFileName().toString();
        byte[] file = s3.getObjectAsBytes(r -> r.bucket("features").key(key)).asByteArray();
        byte[] sample = first.get(key);
        assertThat(Arrays.copyOfRange(file, file.length - sample.length, file.length))
            .isEqualTo(sample);
      }
      assertThat(gateway.computed())
          .as("an access point finds them too")
          .isEqualTo(pictures.size());
    }
  }

  @Test
  void whatIsRandomIsComputedInEachEpoch() throws Exception {
    String flipped =
        "\"decode\": {\"as\": \"image\", \"height\": 224, \"width\": 224, \"dtype\": \"float32\","
            + " \"layout\": \"nchw\", \"normalise\": \"unit\", \"flip\": 0.5, \"seed\": 3},";
    try (Gateway gateway = new Gateway("")) {
      gateway.epoch(0, flipped);
      gateway.epoch(1, flipped);
      assertThat(gateway.computed()).isEqualTo(2 * pictures.size());
      assertThat(gateway.found()).isZero();
    }
  }

  @Test
  void aChangedObjectIsComputedAgainWhoeverChangedIt() throws Exception {
    try (Gateway gateway = new Gateway("")) {
      String key = pictures.getFirst().getFileName().toString();
      String other = pictures.getLast().getFileName().toString();
      Map<String, byte[]> before = gateway.epoch(0, "");
      put(key, pictures.getLast());
      try {
        Map<String, byte[]> after = gateway.epoch(1, "");
        assertThat(gateway.computed()).isEqualTo(pictures.size() + 1);
        assertThat(after.get(key)).isEqualTo(before.get(other));
      } finally {
        put(key, pictures.getFirst());
      }
    }
  }

  @Test
  void featuresOutliveARestartOnTheDisk() throws Exception {
    String disk = "cache: {disk: {path: '%s'}}\n".formatted(folder.resolve("blocks"));
    Map<String, byte[]> first;
    try (Gateway gateway = new Gateway(disk)) {
      first = gateway.epoch(0, "");
      while (gateway.metric("penstock_cache_disk_files") < pictures.size()) {
        Thread.sleep(10);
      }
    }
    try (Gateway gateway = new Gateway(disk)) {
      while (gateway.metric("penstock_cache_disk_files") < pictures.size()) {
        Thread.sleep(10);
      }
      assertSame(gateway.epoch(1, ""), first);
      assertThat(gateway.computed()).isZero();
      assertThat(gateway.found()).isEqualTo(pictures.size());
    }
  }

  @Test
  void withoutACacheNothingIsKept() throws Exception {
    try (Gateway gateway = new Gateway("cache: {memory: 0}\n")) {
      Map<String, byte[]> first = gateway.epoch(0, "");
      assertSame(gateway.epoch(1, ""), first);
      assertThat(gateway.computed()).isEqualTo(2 * pictures.size());
    }
  }
}
