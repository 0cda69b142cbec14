package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The launcher as a user runs it: processes, exit codes, stdout and stderr. */
class PenstockIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Map<String, String> STORE_KEYS =
      Map.of("STORE_ACCESS_KEY", "store", "STORE_SECRET_KEY", "store-secret");

  @TempDir Path work;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endWhatStillRuns() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theQuickStartProvesItselfAndEnds() throws Exception {
    Run run = run("quickstart", "--once");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("photographs", "MB/s", "Every byte of 274 objects came back")
        .containsPattern("one request +batches.*\n.*\n +photographs +5 +270 ")
        .contains("tensor FixedSizeList")
        .containsPattern("gateway +http://127\\.0\\.0\\.1:\\d+\n")
        .containsPattern("metrics +http://127\\.0\\.0\\.1:\\d+/metrics\n")
        .containsPattern(
            "export AWS_ENDPOINT_URL=http://127\\.0\\.0\\.1:\\d+ AWS_REGION=us-east-1\n");
    assertThat(run.err())
        .doesNotContain("\u001b")
        .doesNotContain("WARN")
        .doesNotContain("request-id")
        .doesNotContain("\tat ");
  }

  @Test
  void theStoreServesAnUnchangedClientAndEndsOnSigterm() throws Exception {
    Process store =
        start(
            Map.of(),
            "store",
            "--port",
            "0",
            "--dir",
            work.resolve("objects").toString(),
            "--access-key",
            "store",
            "--secret-key",
            "store-secret");
    putAndGet(ready(store, "ready s3=(\\S+)"), "store", "store-secret");
    assertThat(work.resolve("objects/bucket/key")).hasContent("body");
    assertThat(terminate(store)).isZero();
  }

  @Test
  void theMinimalConfigurationServesAndDrainsOnSigterm() throws Exception {
    Process store =
        start(
            Map.of(),
            "store",
            "--port",
            "0",
            "--memory",
            "--access-key",
            "store",
            "--secret-key",
            "store-secret");
    String storeUri = ready(store, "ready s3=(\\S+)").toString();
    int s3 = freePort();
    int admin = freePort();
    String minimal = Files.readString(HOME.resolve("examples/minimal.yaml"));
    Path config =
        Files.writeString(
            work.resolve("gateway.yaml"),
            minimal
                .replace("http://127.0.0.1:8333", storeUri)
                .replace("port: 9000", "port: " + s3)
                .replace("port: 9001", "port: " + admin));
    Process gateway = start(STORE_KEYS, "gateway", "--config", config.toString());
    String line = stdoutLine(gateway);
    assertThat(line)
        .isEqualTo("ready s3=http://127.0.0.1:%d admin=http://127.0.0.1:%d".formatted(s3, admin));
    putAndGet(URI.create("http://127.0.0.1:" + s3), "demo", "demo-secret");
    assertThat(
            URI.create("http://127.0.0.1:" + admin + "/health/ready")
                .toURL()
                .openStream()
                .readAllBytes())
        .asString()
        .startsWith("ready");
    assertThat(terminate(gateway)).isZero();
    assertThat(gateway.getInputStream().readAllBytes()).as("stdout after the ready line").isEmpty();
  }

  @Test
  void fiveMistakesAreFiveLinesAndExitCodeTwo() throws Exception {
    Path config =
        Files.writeString(
            work.resolve("wrong.yaml"),
            """
            listen:
              s3: {host: 127.0.0.1, port: 90000}
              admin: {host: 127.0.0.1, prot: 9001}
            upstream:
              endpoints: [ftp://127.0.0.1:8333]
              region: us-east-1
              addressing: paht
              access-key: ${NO_SUCH_VARIABLE_HERE}
              secret-key: s
            tenants:
              - {name: demo, access-key: demo, secret-key: demo-secret}
            """);
    for (String[] command : new String[][] {{"gateway", "--config"}, {"config", "check"}}) {
      Run run = run(command[0], command[1], config.toString());
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().lines())
          .extracting(line -> line.substring(0, line.indexOf(": ")))
          .containsExactly(
              config + ":2", config + ":3", config + ":5", config + ":7", config + ":8");
    }
  }

  @Test
  void aTakenPortIsOneLineAndExitCodeOne() throws Exception {
    try (var taken = new ServerSocket(0)) {
      Run run =
          run(
              "store",
              "--memory",
              "--host",
              "0.0.0.0",
              "--port",
              "" + taken.getLocalPort(),
              "--access-key",
              "a",
              "--secret-key",
              "b");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err().lines()).hasSize(1);
      assertThat(run.err()).contains("cannot listen on 0.0.0.0:" + taken.getLocalPort());
    }
  }

  @Test
  void theLauncherKnowsItsCommandsFromAnyDirectoryAndThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(work.resolve("p"), HOME.resolve("penstock"));
    Run version = run(List.of(link.toString(), "version"), Map.of());
    assertThat(version.exitCode()).as(version.err()).isZero();
    assertThat(version.out())
        .contains("java       " + Runtime.version())
        .contains("transports ")
        .contains("nio");
    Run help = run("--help");
    assertThat(help.exitCode()).isZero();
    PenstockCommand.commandLine(
            new java.io.PrintWriter(System.out), new java.io.PrintWriter(System.err))
        .getSubcommands()
        .keySet()
        .forEach(command -> assertThat(help.out()).contains("\n  " + command + " "));
    Run unknown = run("gatewya");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo("penstock: unknown command 'gatewya'; ./penstock --help lists them\n");
  }

  private static void putAndGet(URI endpoint, String accessKey, String secretKey) {
    try (S3Client s3 = QuickstartClient.connect(endpoint, accessKey, new Secret(secretKey))) {
      s3.createBucket(b -> b.bucket("bucket"));
      s3.putObject(b -> b.bucket("bucket").key("key"), RequestBody.fromString("body"));
      assertThat(s3.getObjectAsBytes(b -> b.bucket("bucket").key("key")).asUtf8String())
          .isEqualTo("body");
    }
  }

  private record Run(int exitCode, String out, String err) {}

  private Run run(String... arguments) throws Exception {
    return run(command(arguments), Map.of());
  }

  private Run run(List<String> command, Map<String, String> environment) throws Exception {
    Path out = Files.createTempFile(work, "out", "");
    Path err = Files.createTempFile(work, "err", "");
    Process process =
        builder(command, environment)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    started.add(process);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ended", command).isTrue();
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    Path err = Files.createTempFile(work, "err", "");
    Process process = builder(command(arguments), environment).redirectError(err.toFile()).start();
    started.add(process);
    return process;
  }

  private ProcessBuilder builder(List<String> command, Map<String, String> environment) {
    var builder = new ProcessBuilder(command).directory(work.toFile());
    // Maven is building right now; the launcher must not start it again
    builder.environment().put("PENSTOCK_NO_BUILD", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder;
  }

  private static List<String> command(String... arguments) {
    var command = new ArrayList<>(List.of(HOME.resolve("penstock").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static URI ready(Process process, String pattern) throws IOException {
    String line = stdoutLine(process);
    assertThat(line).matches(pattern);
    return URI.create(line.replaceFirst(pattern, "$1"));
  }

  /** The first line; reads no byte behind it. */
  private static String stdoutLine(Process process) throws IOException {
    var line = new java.io.ByteArrayOutputStream();
    for (int c = process.getInputStream().read();
        c >= 0 && c != '\n';
        c = process.getInputStream().read()) {
      line.write(c);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static int terminate(Process process) throws InterruptedException {
    // Process.destroy would also close its streams
    process.toHandle().destroy();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ended on SIGTERM").isTrue();
    return process.exitValue();
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
