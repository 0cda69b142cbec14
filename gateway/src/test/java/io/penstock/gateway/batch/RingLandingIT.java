package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ipc.InPlaceReader;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ring.Ring;
import io.penstock.arrow.ring.RingDirectory;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingHost;
import io.penstock.arrow.ring.RingReader;
import io.penstock.arrow.ring.RingRecord;
import io.penstock.arrow.wire.BatchView;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Batches that land in a ring: what the consumer reads there, and what the client is told. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class RingLandingIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OBJECTS = 64;
  private static final int BYTES = 20_000;

  @TempDir static Path folder;

  private static EmbeddedStore store;
  private static Stack stack;
  private static BatchClient client;
  private static RingDirectory rings;

  @BeforeAll
  static void start() {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack =
        Stack.start(
            store.endpoint(),
            "ak",
            "sk",
            "batch: {ring: {directory: '%s', consumer-deadline: 60s}}\n".formatted(folder));
    client = new BatchClient(stack.s3());
    rings = new RingDirectory(folder, RingHost.linux(System::nanoTime));
    try (S3Client s3 = Stack.client(store.endpoint(), "ak", "sk")) {
      s3.createBucket(r -> r.bucket("ringed"));
      for (int i = 0; i < OBJECTS; i++) {
        String key = "k%03d".formatted(i);
        s3.putObject(r -> r.bucket("ringed").key(key), RequestBody.fromBytes(object(i)));
      }
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
    while (metric("penstock_memory_reserved_bytes", "batches") > 0
        || metric("penstock_batch_ring_mapped_bytes", "") > 0) {
      Thread.sleep(10);
    }
  }

  private static double metric(String name, String labels) throws Exception {
    return client.metric(name, labels, stack.gateway().admin());
  }

  private static byte[] object(int i) {
    byte[] bytes = new byte[BYTES];
    new Random(i).nextBytes(bytes);
    return bytes;
  }

  private static String request(String ring, String more) {
    String items =
        IntStream.range(0, OBJECTS)
            .mapToObj("\"k%03d\""::formatted)
            .collect(Collectors.joining(","));
    return "{\"version\": 1, \"bucket\": \"ringed\", \"items\": [%s], \"batch-size\": 8, \"landing\": {\"ring\": \"%s\"}%s}"
        .formatted(items, ring, more);
  }

  private static List<String> lines(HttpResponse<InputStream> answer) throws Exception {
    return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
  }

  private static InPlaceReader decoder() {
    return new InPlaceReader(
        _ -> {
          throw new AssertionError("nothing is compressed");
        },
        ReadLimits.DEFAULT);
  }

  /** The payloads in their order, checked where they lie. */
  private static int readAll(RingReader reader) throws Exception {
    InPlaceReader decoder = decoder();
    int rows = 0;
    Schema schema;
    try (RingRecord first = reader.next(PATIENCE).orElseThrow()) {
      schema = decoder.schema(first.message());
    }
    for (var next = reader.next(PATIENCE); next.isPresent(); next = reader.next(PATIENCE)) {
      RingRecord record = next.get();
      if (record.kind() != Frame.Kind.BATCH) {
        record.close();
        continue;
      }
      try (var batch = decoder.batch(schema, record.message(), record::close)) {
        BatchView view = new BatchView(batch);
        for (int row = 0; row < view.rows(); row++, rows++) {
          assertThat(view.head(row).index()).isEqualTo(rows);
          assertThat(
                  batch.column("payload").bytes(row).orElseThrow().toArray(ValueLayout.JAVA_BYTE))
              .isEqualTo(object(rows));
        }
        record.verify();
      }
    }
    return rows;
  }

  @Test
  void batchesLandAndTheClientIsTold() throws Exception {
    // a quarter of the stream: it goes round
    try (Ring ring = rings.create("whole", 512 << 10, 1);
        RingReader reader = rings.read("whole")) {
      HttpResponse<InputStream> answer = client.open("/-/batch", request("whole", ""));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("content-type")).hasValue("application/x-ndjson");
      assertThat(readAll(reader)).isEqualTo(OBJECTS);
      List<String> lines = lines(answer);
      assertThat(lines.getFirst()).contains("\"ring\":\"whole\"", "\"state\":\"landing\"");
      assertThat(lines.getLast()).contains("\"state\":\"complete\"", "\"batches\":8");
      assertThat(ring.progress().batches()).isEqualTo(8);
      assertThat(metric("penstock_batch_ring_written_bytes_total", ""))
          .isGreaterThan(OBJECTS * BYTES);
    }
  }

  @Test
  void aRingThatCannotBeWrittenIsRefusedBeforeAnythingIsRead() throws Exception {
    assertThat(refused(request("none", ""))).contains("400", "no ring none");
    assertThat(refused(request("../none", ""))).contains("400", "a ring is called by");
    try (Ring _ = rings.create("busy", 1 << 20, 0);
        var _ = rings.write("busy", PATIENCE)) {
      assertThat(refused(request("busy", ""))).contains("412", "writes this ring");
    }
  }

  private static String refused(String json) throws Exception {
    HttpResponse<byte[]> answer = client.post("/-/batch", json);
    return answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void aBatchLargerThanHalfOfTheRingEndsTheStreamWithTheReason() throws Exception {
    try (Ring _ = rings.create("small", 128 << 10, 1);
        RingReader reader = rings.read("small")) {
      String last = lines(client.open("/-/batch", request("small", ""))).getLast();
      assertThat(last).contains("\"state\":\"failed\"", "EntityTooLarge", "smaller batches");
      reader.next(PATIENCE).orElseThrow().close();
      try (RingRecord failure = reader.next(PATIENCE).orElseThrow()) {
        assertThat(decoder().failure(failure.message()).code()).isEqualTo("EntityTooLarge");
      }
      assertThat(reader.next(PATIENCE)).isEmpty();
    }
  }

  @Test
  void aFailedStreamFailsInBothPlaces() throws Exception {
    String json = request("failing", ", \"on-error\": \"fail\"").replace("\"k040\"", "\"missing\"");
    try (Ring _ = rings.create("failing", 2 << 20, 1);
        RingReader reader = rings.read("failing")) {
      String last = lines(client.open("/-/batch", json)).getLast();
      assertThat(last).contains("\"state\":\"failed\"", "NoSuchKey", "\"batches\":5");
      List<Frame.Kind> kinds = new ArrayList<>();
      for (var next = reader.next(PATIENCE); next.isPresent(); next = reader.next(PATIENCE)) {
        try (RingRecord record = next.get()) {
          kinds.add(record.kind());
          if (record.kind() == Frame.Kind.FAILURE) {
            assertThat(decoder().failure(record.message()).code()).isEqualTo("NoSuchKey");
          }
        }
      }
      assertThat(kinds).hasSize(7).endsWith(Frame.Kind.FAILURE);
    }
  }

  @Test
  void aClientThatLeavesEndsTheStream() throws Exception {
    try (Ring _ = rings.create("left", 512 << 10, 1);
        RingReader reader = rings.read("left")) {
      HttpResponse<InputStream> answer = client.open("/-/batch", request("left", ""));
      // the ring is full before the stream is over: nobody has released anything
      answer.body().close();
      assertThatThrownBy(() -> readAll(reader))
          .isInstanceOfSatisfying(
              RingException.class,
              e -> assertThat(e.reason()).isEqualTo(RingException.Reason.PRODUCER_GONE));
    }
  }

  @Test
  void anOwnerThatClosesTheRingEndsTheRequest() throws Exception {
    try (Ring ring = rings.create("closed", 512 << 10, 1)) {
      HttpResponse<InputStream> answer = client.open("/-/batch", request("closed", ""));
      ring.close();
      assertThat(lines(answer).getLast())
          .contains("\"state\":\"failed\"", "the owner closed the ring");
    }
  }
}
