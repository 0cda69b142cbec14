package io.penstock.sink.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.ipc.StreamError;
import io.penstock.sink.client.SampleStream;
import io.penstock.sink.client.ScriptedGateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BatchCommandIT {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(URI endpoint, boolean terminal, String... arguments) {
    Map<String, String> environment =
        Map.of(
            "AWS_ENDPOINT_URL", endpoint.toString(),
            "AWS_ACCESS_KEY_ID", "ak",
            "AWS_SECRET_ACCESS_KEY", "sk");
    return BatchCommand.commandLine(
            new BatchCommand(environment, terminal),
            new PrintWriter(out, true),
            new PrintWriter(err, true))
        .execute(arguments);
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void theFileHoldsTheStreamAlsoIfItBroke() throws Exception {
    Path file = folder.resolve("train.arrows");
    try (var gateway =
        ScriptedGateway.of(
            ScriptedGateway.cut(SampleStream.broken(0, 4), 10_000),
            ScriptedGateway.chunked(SampleStream.complete(4, 10), 10_000))) {
      int code =
          run(
              gateway.endpoint(),
              true,
              "--bucket",
              "b",
              "--prefix",
              "",
              "--seed",
              "42",
              "--batch-size",
              "2",
              "-o",
              file.toString());
      assertThat(code).as(err.toString()).isZero();
      assertThat(gateway.asked().getFirst().body())
          .contains("\"epoch\":{\"seed\":42,", "\"bucket\":\"b\",\"prefix\":\"\"");
    }
    assertThat(file).hasBinaryContent(SampleStream.complete(0, 10));
    assertThat(files()).containsExactly("train.arrows");
    assertThat(out.toString())
        .contains("payload", "LargeBinary")
        .containsPattern("batches +10\n")
        .containsPattern("rows +20\n")
        .containsPattern("resumed +1 times\n");
    assertThat(err.toString()).contains("of 20 rows").endsWith("\r\u001b[K");
  }

  @Test
  void aStreamThatFailsLeavesNoFileAndTheOldOneAsItWas() throws Exception {
    Path file = Files.writeString(folder.resolve("old.arrows"), "old");
    byte[] failed = SampleStream.failed(0, 2, new StreamError("NoSuchKey", "no item 7", false));
    try (var gateway = ScriptedGateway.of(ScriptedGateway.chunked(failed, 10_000))) {
      int code =
          run(gateway.endpoint(), false, "--bucket", "b", "--key", "k", "-o", file.toString());
      assertThat(code).isEqualTo(1);
    }
    assertThat(err.toString()).isEqualTo("penstock batch: NoSuchKey: no item 7\n");
    assertThat(file).hasContent("old");
    assertThat(files()).containsExactly("old.arrows");
  }

  @Test
  void wrongUseIsOneLine() {
    URI nowhere = URI.create("http://127.0.0.1:1");
    for (String[] arguments :
        new String[][] {
          {},
          {"--bucket", "b"},
          {"--bucket", "b", "--prefix", "", "--key", "k"},
          {"--bucket", "b", "--prefix", "", "--rank", "1"},
          {"--bucket", "b", "--prefix", "", "--seed", "1", "--rank", "1"},
          {"--bucket", "b", "--prefix", "", "--decode", "gif"},
          {"--bucket", "b", "--prefix", "", "--compression", "gzip"},
          {"--bucket", "b", "--prefix", "", "-o", "x.txt"},
          {"--request", folder.resolve("none").toString()},
          {"--bukket", "b"},
          {"--bucket", "b", "--prefix", "", "--endpoint", "ftp://x"},
          {"--bucket", "b", "--prefix", "", "--ca", folder.resolve("none").toString()}
        }) {
      err.getBuffer().setLength(0);
      assertThat(run(nowhere, false, arguments)).as(List.of(arguments).toString()).isEqualTo(2);
      assertThat(err.toString().lines()).as(err.toString()).hasSize(1);
      assertThat(err.toString()).contains("--help");
    }
  }
}
