package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plain requests of curl, which signs nothing. */
final class Curl {
  private final List<String> options;

  Curl(String... options) {
    this.options = List.of(options);
  }

  /** A GET into the file; the status of the answer. */
  int get(String url, Path into) {
    return run("--output", into.toString(), url);
  }

  /** A PUT of the file; the status of the answer. */
  int put(String url, Path body) {
    // --upload-file would append the file's name to a URL that ends in a slash
    return run(
        "--request",
        "PUT",
        "--header",
        "Content-Type:",
        "--data-binary",
        "@" + body,
        "--output",
        "/dev/null",
        url);
  }

  private int run(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Tools.program("curl", "curl").toString());
    command.addAll(
        List.of(
            "--silent",
            "--show-error",
            "--path-as-is",
            "--globoff",
            "--write-out",
            "%{http_code}"));
    command.addAll(options);
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String status =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return process.waitFor() == 0 ? Integer.parseInt(status) : -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
