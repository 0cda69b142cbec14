package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The Python package of {@code gpu-sink} and the examples, on the distribution's own Python. */
@ExtendWith(LeakWatch.class)
@Timeout(300)
class PythonPackageIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path PACKAGE = HOME.resolve("gpu-sink/src/main/python");
  private static final Path TESTS = HOME.resolve("gpu-sink/src/test/python");
  private static final String BUCKET = "objects";

  /** 100 objects of 4 + 997 i bytes. */
  private static final String TRAIN_SUMMARY = "100 objects, 4935550 bytes\n";

  private static EmbeddedStore store;
  private static Stack stack;

  @BeforeAll
  static void start() throws Exception {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", "");
    try (S3Client s3 = Stack.client(store.endpoint(), "ak", "sk")) {
      s3.createBucket(r -> r.bucket(BUCKET));
      for (int i = 0; i < 100; i++) {
        put(s3, "train/%04d".formatted(i), content(i));
      }
      photographs(s3);
    }
  }

  private static void photographs(S3Client s3) throws IOException {
    StringBuilder manifest = new StringBuilder();
    int label = 0;
    byte[] last = {};
    for (Path file : pictures()) {
      last = Files.readAllBytes(file);
      put(s3, "photos/" + label + ".jpg", last);
      manifest.append("{\"key\": \"photos/%d.jpg\", \"label\": %d}\n".formatted(label, label));
      label++;
    }
    put(s3, "photos/cut.jpg", Arrays.copyOf(last, 300));
    put(s3, "train.jsonl", manifest.toString().repeat(20).getBytes(StandardCharsets.UTF_8));
    manifest.append("{\"key\": \"photos/cut.jpg\", \"label\": %d}\n".formatted(label));
    put(s3, "photos.jsonl", manifest.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static List<Path> pictures() throws IOException {
    try (var files = Files.list(HOME.resolve("examples/pictures"))) {
      return files.filter(file -> file.toString().endsWith(".jpg")).sorted().toList();
    }
  }

  private static byte[] content(int i) {
    byte[] bytes = new byte[4 + i * 997];
    for (int j = 0; j < bytes.length; j++) {
      bytes[j] = (byte) (i * 31 + j);
    }
    return bytes;
  }

  private static void put(S3Client s3, String key, byte[] bytes) {
    s3.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromBytes(bytes));
  }

  @AfterAll
  static void stop() {
    stack.close();
    store.close();
  }

  @Test
  void theReaderAndTheStreamsHold() throws Exception {
    String out = run(python("numpy"), "-m", "unittest", "-v", "test_client");
    assertThat(out).contains("OK").doesNotContain("skipped");
  }

  @Test
  void theTorchDatasetHolds() throws Exception {
    String out = run(python("torch"), "-m", "unittest", "-v", "test_torch");
    assertThat(out).contains("OK").doesNotContain("skipped");
  }

  @Test
  void thePlainExampleReadsAnEpoch() throws Exception {
    String example = HOME.resolve("examples/python-epoch.py").toString();
    assertThat(run(python("numpy"), example, "s3://objects/train/")).isEqualTo(TRAIN_SUMMARY);
  }

  @Test
  void theNodeExampleReadsABatch() throws Exception {
    Path node = Tools.program("node", "nodejs npm");
    Path script = NodeModules.folder().resolve("node-batch.mjs");
    Files.copy(
        HOME.resolve("examples/node-batch.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
    assertThat(run(node.toString(), script.toString(), "objects", "train/"))
        .isEqualTo(TRAIN_SUMMARY);
  }

  /** Nine photographs, twenty times each, every time cut and mirrored in another way. */
  @Test
  void theTorchExampleTrainsAnEpoch() throws Exception {
    String example = HOME.resolve("examples/torch-train.py").toString();
    assertThat(run(python("torch"), example, "s3://objects", "train.jsonl", "9"))
        .containsPattern("180 samples in 6 steps, loss \\d+\\.\\d{3} to \\d+\\.\\d{3}\n$");
  }

  private static String python(String module) {
    return Script.debianPython(module, "python3-" + module);
  }

  private static String run(String program, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(program);
    builder.command().addAll(List.of(arguments));
    builder.directory(TESTS.toFile()).redirectErrorStream(true);
    Path log = Files.createTempFile(Tools.workFolder("python-package"), "client", ".log");
    builder.redirectOutput(log.toFile());
    builder.environment().put("PYTHONPATH", PACKAGE.toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("AWS_ENDPOINT_URL", stack.s3().toString());
    builder.environment().put("AWS_ACCESS_KEY_ID", Stack.ACCESS_KEY);
    builder.environment().put("AWS_SECRET_ACCESS_KEY", Stack.SECRET_KEY);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String out = Files.readString(log);
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }
}
