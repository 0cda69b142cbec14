package io.penstock.dpu.transform.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The networks that the tests divide: those of torchvision with random weights, written by {@code
 * export_models.py} into {@code target} where later runs find them, and the MobileNetV2 in
 * examples.
 *
 * <p>{@code -Dpenstock.networks=full} takes them as published, 1.6 GB; without it those that hold
 * most in fully connected layers or channels are narrower, with the same nodes and edges.
 */
final class Networks {
  static final List<String> EXPORTED =
      List.of(
          "resnet18",
          "resnet50",
          "alexnet",
          "vgg11",
          "vgg19",
          "densenet121",
          "googlenet",
          "inception_v3",
          "vit");

  static final String SIZE = System.getProperty("penstock.networks", "narrow");
  private static final boolean CI = "true".equals(System.getenv("CI"));
  private static final Path HOME = Path.of(System.getProperty("basedir", "."));

  private Networks() {}

  static Path mobileNet() {
    return HOME.resolve("../examples/models/mobilenet_v2.onnx").normalize();
  }

  /**
   * The folder of the exported networks; skips the test where Debian's torch is missing, fails in
   * CI.
   */
  static synchronized Path exported() throws IOException, InterruptedException {
    Path folder = HOME.resolve("target/networks-" + SIZE);
    List<String> missing =
        EXPORTED.stream().filter(name -> !Files.exists(folder.resolve(name + ".onnx"))).toList();
    if (!missing.isEmpty()) {
      Files.createDirectories(folder);
      export(folder, missing);
    }
    return folder;
  }

  private static void export(Path folder, List<String> names)
      throws IOException, InterruptedException {
    // the system's Python is the one that Debian's packages belong to
    String python = new File("/usr/bin/python3").exists() ? "/usr/bin/python3" : "python3";
    boolean there = run(List.of(python, "-c", "import torch, torchvision, onnx")) == 0;
    if (!there && CI) {
      throw new AssertionError("CI needs python3-torch, python3-torchvision and python3-onnx");
    }
    assumeTrue(there, "no python3-torch, python3-torchvision and python3-onnx here");
    List<String> command =
        new ArrayList<>(
            List.of(
                python,
                HOME.resolve("src/test/python/export_models.py").toString(),
                folder.toString(),
                SIZE));
    command.addAll(names);
    int status = run(command);
    if (status != 0) {
      throw new AssertionError(String.join(" ", command) + " ended with " + status);
    }
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("target/export.log")))
            .start();
    try {
      return process.waitFor(10, TimeUnit.MINUTES) ? process.exitValue() : -1;
    } finally {
      process.destroyForcibly();
    }
  }
}
