package io.penstock.gateway.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCommandTest {
  private static final String MODEL =
      Path.of(System.getProperty("basedir", "."), "../examples/models/mobilenet_v2.onnx")
          .toString();

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return PenstockCommand.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void profilesAndPlotsTheModelInTheExamples() throws Exception {
    Path page = folder.resolve("plot.html");
    assertEquals(
        0,
        run(
            "model",
            "profile",
            MODEL,
            "--runs",
            "1",
            "--bandwidth",
            "50",
            "--plot",
            page.toString()),
        err::toString);
    assertTrue(out.toString().contains("flatten_1"), out::toString);
    assertTrue(Files.readString(page).contains("<svg"), "a plot");
  }

  @Test
  void dividesWhatCanBeDividedAgain() throws Exception {
    Path head = folder.resolve("head.onnx");
    assertEquals(0, run("model", "inspect", MODEL), err::toString);
    assertTrue(out.toString().contains("float32 [3, 224, 224]"), out::toString);
    assertEquals(0, run("model", "cuts", MODEL), err::toString);
    String cut =
        out.toString().lines().filter(line -> line.contains("flatten_1")).findFirst().orElseThrow();
    String name = cut.strip().split(" ")[0];
    assertEquals(
        0, run("model", "split", MODEL, "--at", name, "--suffix", head.toString()), err::toString);
    assertEquals(0, run("model", "inspect", head.toString()), err::toString);
    assertTrue(out.toString().contains("float32 [1280]"), out::toString);
  }

  @Test
  void aRefusalIsOneLine() throws Exception {
    Path file = Files.writeString(folder.resolve("no.onnx"), "this is not a model");
    assertEquals(1, run("model", "inspect", file.toString()));
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains("ONNX"), err::toString);
    assertEquals(
        1,
        run(
            "model",
            "split",
            MODEL,
            "--at",
            "nowhere",
            "--suffix",
            folder.resolve("x").toString()));
    assertFalse(Files.exists(folder.resolve("x")));
    assertEquals(2, run("model"));
    assertEquals(2, run("model", "split", MODEL, "--at", "x"));
  }
}
