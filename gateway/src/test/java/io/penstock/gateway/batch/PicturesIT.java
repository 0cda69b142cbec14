package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.ImageSpec;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;

/** Pictures become tensors on the way; a bad one costs nobody else. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class PicturesIT {
  private static final String BUCKET = "pictures";
  private static final int PICTURES = 40;
  private static final int CORRUPT = 17;
  private static EmbeddedStore store;
  private static Stack stack;
  private static BatchClient client;

  @BeforeAll
  static void start() throws Exception {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", "");
    client = new BatchClient(stack.s3());
    try (var s3 = Stack.client(store.endpoint(), "ak", "sk")) {
      s3.createBucket(r -> r.bucket(BUCKET));
      for (int i = 0; i < PICTURES; i++) {
        String key = key(i);
        byte[] jpeg = i == CORRUPT ? Arrays.copyOf(jpeg(i), 200) : jpeg(i);
        s3.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromBytes(jpeg));
      }
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    stack.close();
    store.close();
  }

  private static String key(int i) {
    return "%03d.jpg".formatted(i);
  }

  private static byte[] jpeg(int seed) throws Exception {
    Random random = new Random(seed);
    BufferedImage image = new BufferedImage(90 + seed, 130 - seed, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        image.setRGB(x, y, (x * 2 + seed) << 16 | (y * 2) << 8 | random.nextInt(32));
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", out);
    return out.toByteArray();
  }

  private static String request(String decode, String more) {
    String items =
        IntStream.range(0, PICTURES)
            .mapToObj(i -> '"' + key(i) + '"')
            .collect(Collectors.joining(","));
    return "{\"version\": 1, \"bucket\": \"%s\", \"items\": [%s], \"batch-size\": 16, \"decode\": %s%s}"
        .formatted(BUCKET, items, decode, more);
  }

  @Test
  void everyPictureIsASampleAndTheCorruptOneIsARowOfItsOwn() throws Exception {
    for (String compression : new String[] {"none", "zstd", "lz4"}) {
      var stream =
          client.batch(
              "/-/batch",
              request(
                  "{\"as\": \"image\", \"height\": 32, \"width\": 32, \"dtype\": \"float32\"}",
                  ", \"compression\": \"" + compression + "\""));
      assertThat(stream.error()).isEmpty();
      assertThat(stream.batches()).hasSize(3);
      TensorDecoder reference =
          Decoders.tensors(
              ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 32, 32)), DecodeLimits.DEFAULTS);
      for (int i = 0; i < PICTURES; i++) {
        var row = stream.rows().get(i);
        if (i == CORRUPT) {
          assertThat(row.code()).isEqualTo("TruncatedObject");
          assertThat(row.payload()).isEmpty();
        } else {
          assertThat(row.payload().orElseThrow()).isEqualTo(decoded(reference, jpeg(i), i));
        }
      }
    }
    while (client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin())
        > 0) {
      Thread.sleep(10);
    }
  }

  private static byte[] decoded(TensorDecoder decoder, byte[] jpeg, int item) throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sample = arena.allocate(decoder.tensor().bytesPerSample(), 64);
      decoder.decode(ObjectBytes.of(MemorySegment.ofArray(jpeg)), item, sample);
      return sample.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void theSameRequestGivesTheSameBytes() throws Exception {
    String request =
        request(
            "{\"as\": \"image\", \"height\": 24, \"width\": 24, \"flip\": 0.5, \"seed\": 3,"
                + " \"crop\": {\"how\": \"random-resized\"}}",
            "");
    byte[] first = client.post("/-/batch", request).body();
    assertThat(client.post("/-/batch", request).body()).isEqualTo(first);
  }

  @Test
  void aBatchOfSamplesThatCannotFitIsRefused() throws Exception {
    var answer =
        client.post(
            "/-/batch", request("{\"as\": \"image\", \"height\": 20000, \"width\": 20000}", ""));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("<Code>EntityTooLarge</Code>");
  }
}
