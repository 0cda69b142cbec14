package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.ImageSpec;
import io.penstock.arrow.decode.ObjectBytes;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.dpu.memory.MemorySplit;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Compute;
import io.penstock.dpu.transform.store.FolderSource;
import io.penstock.dpu.transform.store.ModelPin;
import io.penstock.dpu.transform.store.ModelStore;
import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;

/** Frozen layers of the real MobileNetV2 on real photographs, judged by ONNX Runtime itself. */
@ExtendWith(LeakWatch.class)
@Timeout(180)
class FeaturesIT {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolveSibling("examples").toAbsolutePath();
  private static final Path MODELS = EXAMPLES.resolve("models").normalize();
  private static final String FILE = "mobilenet_v2.onnx";
  private static final String SHA256 =
      "253ebf792d2b3e1e223f3eb6ec9cd27771ace52b530dd682d9b0e9b6f6be8f43";
  private static final String BUCKET = "photos";

  /** Without a cache, so that everything is computed each time it is asked for. */
  private static final String CONFIG =
      "cache: {memory: 0}\nmodels: {folder: '%s', files: [{name: mobilenet, file: %s, sha256: %s}, {name: other, file: %s, sha256: '%s'}]}\n"
          .formatted(MODELS, FILE, SHA256, FILE, "0".repeat(64));

  private static List<Path> pictures;
  private static EmbeddedStore store;
  private static Stack stack;
  private static BatchClient client;
  private static MemoryBudget budget;
  private static ModelStore models;
  private static FrozenModel model;

  @BeforeAll
  static void start() throws Exception {
    try (var files = Files.list(EXAMPLES.resolve("pictures"))) {
      pictures = files.filter(file -> file.toString().endsWith(".jpg")).sorted().toList();
    }
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", CONFIG);
    client = new BatchClient(stack.s3());
    try (var s3 = Stack.client(store.endpoint(), "ak", "sk")) {
      s3.createBucket(r -> r.bucket(BUCKET));
      for (Path picture : pictures) {
        s3.putObject(
            r -> r.bucket(BUCKET).key(picture.getFileName().toString()),
            RequestBody.fromFile(picture));
      }
    }
    budget = new MemoryBudget(MemorySplit.of(1L << 30), MemoryObserver.NONE, System::nanoTime);
    models =
        new ModelStore(
            new ModelStore.Setup(
                List.of(new ModelPin(new ModelId("mobilenet", SHA256), FILE)),
                new FolderSource(MODELS),
                ModelLimits.usual(),
                Compute.onCaller(),
                1,
                () -> true),
            budget);
    model = models.open("mobilenet");
  }

  @AfterAll
  static void stop() {
    models.close();
    client.close();
    stack.close();
    store.close();
  }

  private static String request(String transform, int batch, String more) {
    String items =
        pictures.stream()
            .map(picture -> '"' + picture.getFileName().toString() + '"')
            .collect(Collectors.joining(","));
    return "{\"version\": 1, \"bucket\": \"%s\", \"items\": [%s], \"batch-size\": %d, \"transform\": %s%s}"
        .formatted(BUCKET, items, batch, transform, more);
  }

  private static String pinned(String split) {
    return "{\"model\": \"mobilenet\", \"split\": \"%s\"}".formatted(split);
  }

  /** A cut of the named size: the last one, after everything that pools. */
  private static String pooled() {
    return model.cuts().stream()
        .filter(cut -> cut.bytesPerSample() == 1280 * 4)
        .findFirst()
        .orElseThrow()
        .name();
  }

  private static String middle() {
    return model.cuts().get(model.cuts().size() / 2).name();
  }

  private static float[] pixels(Path picture) throws Exception {
    TensorDecoder decoder =
        Decoders.tensors(
            ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 224, 224)), DecodeLimits.DEFAULTS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sample = arena.allocate(decoder.tensor().bytesPerSample(), 64);
      decoder.decode(ObjectBytes.of(MemorySegment.ofArray(Files.readAllBytes(picture))), 0, sample);
      return sample.toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  private static OrtSession session(byte[] onnx) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      return OrtEnvironment.getEnvironment().createSession(onnx, options);
    }
  }

  private static float[] run(OrtSession session, float[] in, List<Integer> shape)
      throws OrtException {
    long[] dims = new long[shape.size() + 1];
    dims[0] = 1;
    for (int i = 0; i < shape.size(); i++) {
      dims[i + 1] = shape.get(i);
    }
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OnnxTensor tensor = OnnxTensor.createTensor(environment, FloatBuffer.wrap(in), dims);
        OrtSession.Result result =
            session.run(Map.of(session.getInputNames().iterator().next(), tensor))) {
      OnnxTensor out = (OnnxTensor) result.get(0);
      float[] values = new float[out.getFloatBuffer().remaining()];
      out.getFloatBuffer().get(values);
      return values;
    }
  }

  private static float[] floats(byte[] bytes) {
    FloatBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    float[] values = new float[buffer.remaining()];
    buffer.get(values);
    return values;
  }

  /** Within 1e-5 of the largest value. */
  private static void assertClose(float[] actual, float[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    float largest = 0;
    float worst = 0;
    for (int i = 0; i < expected.length; i++) {
      largest = Math.max(largest, Math.abs(expected[i]));
      worst = Math.max(worst, Math.abs(actual[i] - expected[i]));
    }
    assertThat(largest).isPositive();
    assertThat(worst).isLessThanOrEqualTo(1e-5f * Math.max(1, largest));
  }

  @Test
  void featuresAreWhatOnnxRuntimeMakesOfTheSamePictures() throws Exception {
    List<Integer> input = model.input().shape();
    for (String split : List.of(pooled(), middle())) {
      var cut = model.cut(split);
      ByteArrayOutputStream prefix = new ByteArrayOutputStream();
      model.writePrefix(cut, Channels.newChannel(prefix));
      ByteArrayOutputStream suffix = new ByteArrayOutputStream();
      model.writeSuffix(cut, Channels.newChannel(suffix));
      var stream = client.batch("/-/batch", request(pinned(split), 3, ""));
      assertThat(stream.error()).isEmpty();
      assertThat(stream.rows()).hasSameSizeAs(pictures);
      try (OrtSession first = session(prefix.toByteArray());
          OrtSession second = session(suffix.toByteArray());
          OrtSession whole = session(Files.readAllBytes(MODELS.resolve(FILE)))) {
        for (int i = 0; i < pictures.size(); i++) {
          float[] pixels = pixels(pictures.get(i));
          float[] features = floats(stream.rows().get(i).payload().orElseThrow());
          assertClose(features, run(first, pixels, input));
          assertClose(run(second, features, cut.spec().shape()), run(whole, pixels, input));
        }
      }
    }
  }

  @Test
  void featuresDoNotDependOnBatchesNorOnWhatOthersCompute() throws Exception {
    List<byte[]> alone = payloads(client.batch("/-/batch", request(pinned(pooled()), 1, "")));
    Map<Integer, List<byte[]>> together = new ConcurrentHashMap<>();
    List<Thread> tenants = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      String split = i % 2 == 0 ? pooled() : middle();
      tenants.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      var stream = client.batch("/-/batch", request(pinned(split), 2 + number, ""));
                      together.put(number, payloads(stream));
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread tenant : tenants) {
      tenant.join();
    }
    assertThat(together).hasSize(6);
    for (int i = 0; i < 6; i += 2) {
      for (int row = 0; row < alone.size(); row++) {
        assertThat(Arrays.equals(together.get(i).get(row), alone.get(row))).isTrue();
      }
    }
    while (client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin()) > 0
        || client.metric("penstock_transform_streams", "", stack.gateway().admin()) > 0) {
      Thread.sleep(10);
    }
  }

  private static List<byte[]> payloads(BatchClient.Stream stream) {
    assertThat(stream.error()).isEmpty();
    return stream.rows().stream().map(row -> row.payload().orElseThrow()).toList();
  }

  @Test
  void withNoSplitTheModelSeesNothing() throws Exception {
    List<byte[]> samples = payloads(client.batch("/-/batch", request(pinned("none"), 4, "")));
    for (int i = 0; i < pictures.size(); i++) {
      assertThat(Arrays.equals(floats(samples.get(i)), pixels(pictures.get(i)))).isTrue();
    }
  }

  @Test
  void theGatewayChoosesAndSaysWhy() throws Exception {
    byte[] stream = client.post("/-/batch", request("{\"model\": \"mobilenet\"}", 4, "")).body();
    Map<String, String> words = BatchClient.metadata(stream);
    String split = words.get("penstock.transform.split");
    assertThat(split).isNotEqualTo("auto");
    assertThat(words)
        .containsEntry("penstock.transform.model", "mobilenet")
        .containsEntry("penstock.transform.sha256", SHA256);
    assertThat(words.get("penstock.transform.reason"))
        .contains("s an epoch")
        .contains(split.equals("none") ? "pixels" : split);
    var cut = split.equals("none") ? model.cuts().getFirst() : model.cut(split);
    assertThat(words)
        .containsEntry("penstock.transform.shape", cut.spec().shape().toString().replace(" ", ""));
    assertThat(payloads(BatchClient.read(stream)))
        .allSatisfy(row -> assertThat(row).hasSize((int) cut.bytesPerSample()));
  }

  @Test
  void anEpochIsTransformedToo() throws Exception {
    var stream =
        client.batch(
            "/-/epochs", request(pinned(pooled()), 4, ", \"epoch\": {\"seed\": 5, \"number\": 1}"));
    List<byte[]> listed = payloads(client.batch("/-/batch", request(pinned(pooled()), 4, "")));
    assertThat(stream.error()).isEmpty();
    for (var row : stream.rows()) {
      int number =
          Collections.binarySearch(
              pictures.stream().map(p -> p.getFileName().toString()).toList(), row.head().key());
      assertThat(row.payload().orElseThrow()).isEqualTo(listed.get(number));
    }
  }

  @Test
  void whatCannotBeAppliedIsRefused() throws Exception {
    refused("{\"model\": \"nothing\"}", "", 400, "there is no model nothing");
    refused(pinned("nowhere"), "", 400, "cannot be split at nowhere");
    refused(
        pinned(pooled()),
        ", \"decode\": {\"as\": \"image\", \"height\": 32, \"width\": 32}",
        400,
        "sees samples of float32 [3, 224, 224]");
    refused("{\"model\": \"other\", \"split\": \"none\"}", "", 500, "has the SHA-256");
  }

  private void refused(String transform, String more, int status, String words) throws Exception {
    var answer = client.post("/-/batch", request(transform, 4, more));
    String text = new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(answer.statusCode()).as(text).isEqualTo(status);
    assertThat(text).contains(words);
  }

  @Test
  void withoutModelsTransformsAreNotImplemented() throws Exception {
    try (Stack plain = Stack.start(store.endpoint(), "ak", "sk", "");
        BatchClient caller = new BatchClient(plain.s3())) {
      assertThat(caller.post("/-/batch", request(pinned(pooled()), 4, "")).statusCode())
          .isEqualTo(501);
    }
  }
}
