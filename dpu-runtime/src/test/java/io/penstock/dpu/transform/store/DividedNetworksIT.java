package io.penstock.dpu.transform.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.transform.graph.BruteForce;
import io.penstock.dpu.transform.graph.GraphCut;
import io.penstock.dpu.transform.graph.ModelReader;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.FrozenPrefix;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Judge;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real networks, divided: every place is found, and what was divided computes what the whole
 * computes. The judge is ONNX Runtime on the file as it is, never touched by our reader, on a batch
 * of three. {@code -Dpenstock.cuts=all} tries every cut, without it about eight of each network.
 */
class DividedNetworksIT {
  private static final int SAMPLES = 3;
  private static final boolean ALL = "all".equals(System.getProperty("penstock.cuts"));

  static Stream<String> networks() {
    String only = System.getProperty("penstock.network", "");
    return Stream.concat(Stream.of("mobilenet_v2"), Networks.EXPORTED.stream())
        .filter(name -> only.isEmpty() || only.equals(name));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyPlaceIsFoundAndBothPartsMakeTheWhole(String name) throws Exception {
    Path file =
        name.equals("mobilenet_v2")
            ? Networks.mobileNet()
            : Networks.exported().resolve(name + ".onnx");
    MemoryBudget budget = Stores.budget(8L << 30);
    try (ModelStore store = Stores.of(file.getParent(), budget, name);
        Arena arena = Arena.ofConfined()) {
      FrozenModel model = store.open(name);
      MemorySegment read =
          new FolderSource(file.getParent()).read(name + ".onnx", file.toFile().length(), arena);
      OnnxGraph graph = ModelReader.read(read, ModelLimits.usual());
      List<String> found = GraphCut.find(graph).stream().map(GraphCut.Place::tensor).toList();
      assertEquals(BruteForce.cuts(graph), found);

      MemorySegment samples = samples(arena, model.input().bytesPerSample() * SAMPLES);
      float[] whole = Judge.run(Files.readAllBytes(file), samples, shape(model.cuts().getFirst()));
      double worst = 0;
      int tried = 0;
      int step = ALL ? 1 : Math.max(1, model.cuts().size() / 8);
      for (int i = 1; i < model.cuts().size(); i += step) {
        Cut cut = model.cuts().get(i);
        worst = Math.max(worst, distance(whole, through(model, cut, samples, arena)));
        tried++;
      }
      Cut last = model.cuts().getLast();
      worst = Math.max(worst, distance(whole, through(model, last, samples, arena)));
      System.out.printf(
          "%s (%s): %d separating tensors, %d cuts, %d tried, largest relative difference %.2e%n",
          name, Networks.SIZE, found.size(), model.cuts().size(), tried, worst);
      assertTrue(worst <= 1e-5, name + " differs by " + worst);
      assertTrue(model.cuts().size() >= found.size() / 2, "most places deliver samples");
    }
    budget.assertAllReleased();
  }

  /** What comes out of the suffix for what comes out of the prefix. */
  private static float[] through(FrozenModel model, Cut cut, MemorySegment samples, Arena arena)
      throws Exception {
    MemorySegment features = arena.allocate(cut.bytesPerSample() * SAMPLES, 64);
    try (FrozenPrefix prefix = model.prefix(cut)) {
      prefix.apply(samples, SAMPLES, features);
    }
    if (cut.equals(model.cuts().getLast())) {
      return features.toArray(ValueLayout.JAVA_FLOAT);
    }
    ByteArrayOutputStream suffix = new ByteArrayOutputStream();
    long bytes = model.writeSuffix(cut, Channels.newChannel(suffix));
    assertEquals(bytes, suffix.size());
    return Judge.run(suffix.toByteArray(), features, shape(cut));
  }

  private static long[] shape(Cut cut) {
    return LongStream.concat(LongStream.of(SAMPLES), cut.spec().shape().stream().mapToLong(i -> i))
        .toArray();
  }

  private static double distance(float[] whole, float[] divided) {
    assertEquals(whole.length, divided.length);
    double largest = 0;
    double apart = 0;
    for (int i = 0; i < whole.length; i++) {
      largest = Math.max(largest, Math.abs(whole[i]));
      apart = Math.max(apart, Math.abs(whole[i] - divided[i]));
    }
    assertTrue(largest > 0, "the network makes something");
    return apart / largest;
  }

  private static MemorySegment samples(Arena arena, long bytes) {
    MemorySegment samples = arena.allocate(bytes, 64);
    SplittableRandom random = new SplittableRandom(42);
    for (long i = 0; i < bytes / 4; i++) {
      samples.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble());
    }
    return samples;
  }
}
