package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.penstock.dpu.transform.model.FrozenPrefix;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Unchanged S3 clients read features; what they get is what the model makes of the pictures. */
@ExtendWith(LeakWatch.class)
@Timeout(180)
class AccessPointIT {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolveSibling("examples").toAbsolutePath();
  private static final String FILE = "mobilenet_v2.onnx";
  private static final String SPLIT = "dense_1:0";
  private static final String PICTURE = "chelsea.jpg";

  /** ModelProto.doc_string (field 6): another file, the same network. */
  private static final byte[] REMARK = {0x32, 4, 'm', 'i', 'n', 'e'};

  @TempDir private static Path folder;
  private static EmbeddedStore store;
  private static Stack stack;
  private static S3Client s3;
  private static S3Client behind;
  private static String sha256;

  @BeforeAll
  static void start() throws Exception {
    byte[] model = Files.readAllBytes(EXAMPLES.resolve("models").resolve(FILE));
    byte[] other = Arrays.copyOf(model, model.length + REMARK.length);
    System.arraycopy(REMARK, 0, other, model.length, REMARK.length);
    Files.write(folder.resolve("one.onnx"), model);
    Files.write(folder.resolve("two.onnx"), other);
    sha256 = sha256(model);
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", config(sha256(other)));
    s3 = stack.client();
    behind = Stack.client(store.endpoint(), "ak", "sk");
    behind.createBucket(r -> r.bucket("photos"));
    put(PICTURE, Files.readAllBytes(EXAMPLES.resolve("pictures").resolve(PICTURE)));
    put("broken.jpg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, 1, 2, 3});
  }

  private static String config(String other) {
    return """
        models:
          folder: '%s'
          files:
            - {name: one, file: one.onnx, sha256: '%s'}
            - {name: two, file: two.onnx, sha256: '%s'}
          access-points:
            - {name: features, bucket: photos, model: one, split: '%s'}
            - {name: features-arrow, bucket: photos, model: one, split: '%4$s', format: arrow}
            - {name: features-later, bucket: photos, model: one, split: 'dense_2:0'}
            - {name: features-two, bucket: photos, model: two, split: '%4$s'}
            - {name: pixels, bucket: photos, model: one, split: none}
        tenants:
          - {name: demo, access-key: demo, secret-key: demo-secret}
          - name: outside
            access-key: outside
            secret-key: outside-secret
            policy: {rules: [{bucket: 'features*', access: [read, write]}]}
        """
        .formatted(folder, sha256, other, SPLIT);
  }

  @AfterAll
  static void stop() {
    behind.close();
    s3.close();
    stack.close();
    store.close();
  }

  private static void put(String key, byte[] bytes) {
    behind.putObject(r -> r.bucket("photos").key(key), RequestBody.fromBytes(bytes));
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /** By the model alone, without the gateway. */
  private static byte[] expected(String split, byte[] picture) throws Exception {
    TensorDecoder decoder =
        Decoders.tensors(
            ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 224, 224)), DecodeLimits.DEFAULTS);
    MemoryBudget budget =
        new MemoryBudget(MemorySplit.of(1L << 30), MemoryObserver.NONE, System::nanoTime);
    ModelPin pin = new ModelPin(new ModelId("one", sha256), "one.onnx");
    try (Arena arena = Arena.ofConfined();
        ModelStore models =
            new ModelStore(
                new ModelStore.Setup(
                    List.of(pin),
                    new FolderSource(folder),
                    ModelLimits.usual(),
                    Compute.onCaller(),
                    1,
                    () -> true),
                budget)) {
      var model = models.open("one");
      MemorySegment sample = arena.allocate(decoder.tensor().bytesPerSample(), 64);
      decoder.decode(ObjectBytes.of(MemorySegment.ofArray(picture)), 0, sample);
      try (FrozenPrefix prefix = model.prefix(model.cut(split))) {
        MemorySegment out = arena.allocate(prefix.cut().bytesPerSample(), 64);
        prefix.apply(sample, 1, out);
        return out.toArray(ValueLayout.JAVA_BYTE);
      }
    }
  }

  private static byte[] picture() throws Exception {
    return Files.readAllBytes(EXAMPLES.resolve("pictures").resolve(PICTURE));
  }

  private static String run(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_"));
    environment.put("JUDGE_ENDPOINT", stack.s3().toString());
    environment.put("AWS_ACCESS_KEY_ID", Stack.ACCESS_KEY);
    environment.put("AWS_SECRET_ACCESS_KEY", Stack.SECRET_KEY);
    environment.put("AWS_DEFAULT_REGION", "us-east-1");
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    environment.put("HOME", folder.toString());
    environment.put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void anUnchangedBotoReadsFeatures() throws Exception {
    List<String> command =
        new ArrayList<>(Script.debian("features", "boto3, numpy", "python3-boto3 python3-numpy"));
    command.addAll(List.of("features", PICTURE, "broken.jpg"));
    Map<String, String> facts =
        run(command)
            .lines()
            .map(line -> line.split("\t", 2))
            .collect(Collectors.toMap(fact -> fact[0], fact -> fact.length > 1 ? fact[1] : ""));
    assertThat(facts)
        .containsEntry("array", "float32\t256")
        .containsEntry("sha256", sha256(expected(SPLIT, picture())))
        .containsEntry("head", "True\tTrue")
        .containsEntry("checksums", "")
        .containsEntry("range", "True\tbytes 100-299/1152\tTrue")
        .containsEntry("suffix", "True")
        .containsEntry("beyond", "416\tInvalidRange")
        .containsEntry("same", "304")
        .containsEntry("same-head", "304")
        .containsEntry("other", "200")
        .containsEntry("gone", "412\tPreconditionFailed")
        .containsEntry("listed", "True\tTrue")
        .containsEntry("put", "405\tMethodNotAllowed")
        .containsEntry("delete", "405\tMethodNotAllowed")
        .containsEntry("broken", "422\tUndecodableObject\tTrue")
        .containsEntry("missing", "404\tNoSuchKey\tTrue");
    assertThat(behind.listObjectsV2(r -> r.bucket("photos")).contents()).hasSize(2);
  }

  @Test
  void anUnchangedAwsCliReadsFeatures() throws Exception {
    String python = Script.debianPython("awscli", "awscli");
    List<String> aws =
        List.of(python, "-m", "awscli", "--endpoint-url", stack.s3().toString(), "s3");
    Path into = Files.createDirectory(folder.resolve("synced"));
    assertThat(run(with(aws, "ls", "s3://features/"))).contains("1152 " + PICTURE);
    run(with(aws, "cp", "s3://features/" + PICTURE, into.resolve("one.npy").toString()));
    byte[] file = Files.readAllBytes(into.resolve("one.npy"));
    assertThat(Arrays.copyOfRange(file, file.length - 1024, file.length))
        .isEqualTo(expected(SPLIT, picture()));
    List<String> sync =
        with(aws, "sync", "--exclude", "broken*", "s3://features/", into.toString());
    assertThat(run(sync)).contains("download: s3://features/" + PICTURE);
    assertThat(into.resolve(PICTURE)).hasBinaryContent(file);
    assertThat(run(sync)).as("nothing has changed").doesNotContain("download:");
  }

  private static List<String> with(List<String> command, String... more) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(more));
    return all;
  }

  private static String etag(String point, String key) {
    String head = s3.headObject(r -> r.bucket(point).key(key)).eTag();
    assertThat(s3.getObjectAsBytes(r -> r.bucket(point).key(key)).response().eTag())
        .isEqualTo(head);
    return head;
  }

  @Test
  void theEtagChangesWithObjectModelAndSplitOnly() throws Exception {
    put("changing.jpg", picture());
    String before = etag("features", "changing.jpg");
    assertThat(etag("features", "changing.jpg")).isEqualTo(before);
    put("changing.jpg", picture());
    assertThat(etag("features", "changing.jpg")).as("written anew, the same").isEqualTo(before);
    assertThat(
            List.of(
                before,
                etag("features-later", "changing.jpg"),
                etag("features-two", "changing.jpg"),
                etag("features-arrow", "changing.jpg"),
                etag("pixels", "changing.jpg"),
                behind.headObject(r -> r.bucket("photos").key("changing.jpg")).eTag()))
        .doesNotHaveDuplicates();
    put("changing.jpg", Files.readAllBytes(EXAMPLES.resolve("pictures/astronaut.jpg")));
    assertThat(etag("features", "changing.jpg")).isNotEqualTo(before);
    behind.deleteObject(r -> r.bucket("photos").key("changing.jpg"));
  }

  @Test
  void arrowIsAStreamOfOneRow() throws Exception {
    byte[] bytes = s3.getObjectAsBytes(r -> r.bucket("features-arrow").key(PICTURE)).asByteArray();
    assertThat((long) bytes.length)
        .isEqualTo(s3.headObject(r -> r.bucket("features-arrow").key(PICTURE)).contentLength());
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains("fixed_shape_tensor");
    int at = indexOf(bytes, expected(SPLIT, picture()));
    assertThat(at).isPositive();
    assertThat(at % 64).isZero();
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  private static double computed() throws Exception {
    return metric("penstock_transform_compute_duration_seconds_count");
  }

  private static double metric(String name) throws Exception {
    URI metrics = stack.gateway().admin().resolve("/metrics");
    String text;
    try (HttpClient http = HttpClient.newHttpClient()) {
      text =
          http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
              .body();
    }
    Matcher count = Pattern.compile("(?m)^" + name + "\\S* (\\S+)$").matcher(text);
    return count.find() ? Double.parseDouble(count.group(1)) : 0;
  }

  @Test
  void whatNeedsNoFeaturesComputesNone() throws Exception {
    String etag = etag("features", PICTURE);
    double before = computed();
    assertThat(before).isPositive();
    s3.headObject(r -> r.bucket("features").key(PICTURE));
    s3.listObjectsV2(r -> r.bucket("features"));
    assertThatThrownBy(
            () -> s3.getObjectAsBytes(r -> r.bucket("features").key(PICTURE).ifNoneMatch(etag)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(304));
    assertThat(computed()).isEqualTo(before);
  }

  @Test
  void whatWasComputedOnceIsNotComputedAgain() throws Exception {
    put("again.jpg", picture());
    byte[] first = s3.getObjectAsBytes(r -> r.bucket("features").key("again.jpg")).asByteArray();
    double before = computed();
    double found = metric("penstock_transform_cached_total");
    assertThat(s3.getObjectAsBytes(r -> r.bucket("features").key("again.jpg")).asByteArray())
        .isEqualTo(first);
    assertThat(
            s3.getObjectAsBytes(r -> r.bucket("features").key("again.jpg").range("bytes=128-191"))
                .asByteArray())
        .isEqualTo(Arrays.copyOfRange(first, 128, 192));
    byte[] arrow =
        s3.getObjectAsBytes(r -> r.bucket("features-arrow").key("again.jpg")).asByteArray();
    assertThat(indexOf(arrow, Arrays.copyOfRange(first, 128, first.length))).isPositive();
    assertThat(computed()).isEqualTo(before);
    assertThat(metric("penstock_transform_cached_total")).isEqualTo(found + 3);
    byte[] other = Files.readAllBytes(EXAMPLES.resolve("pictures/astronaut.jpg"));
    put("again.jpg", other);
    byte[] second = s3.getObjectAsBytes(r -> r.bucket("features").key("again.jpg")).asByteArray();
    assertThat(Arrays.copyOfRange(second, 128, second.length)).isEqualTo(expected(SPLIT, other));
    assertThat(computed()).isEqualTo(before + 1);
    behind.deleteObject(r -> r.bucket("photos").key("again.jpg"));
    assertThatThrownBy(() -> s3.getObjectAsBytes(r -> r.bucket("features").key("again.jpg")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
  }

  @Test
  void whoMayNotReadThePicturesMayNotReadTheirFeatures() {
    try (S3Client outside = Stack.client(stack.s3(), "outside", "outside-secret")) {
      for (Runnable call :
          List.<Runnable>of(
              () -> outside.getObjectAsBytes(r -> r.bucket("features").key(PICTURE)),
              () -> outside.headObject(r -> r.bucket("features").key(PICTURE)),
              () -> outside.listObjectsV2(r -> r.bucket("features")))) {
        assertThatThrownBy(call::run)
            .isInstanceOfSatisfying(
                S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
      }
    }
  }
}
