package io.penstock.loadtest.lab.plan;

import io.penstock.loadtest.lab.plan.Experiment.Bar;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.lab.plan.Variant.Program;
import io.penstock.loadtest.lab.plan.Variant.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The catalogue of experiments, thorough or quick.
 *
 * <p>Threading: any.
 */
public final class Experiments {
  private static final Metric ITEMS = new Metric("items_s", "items/s", false);
  private static final Metric MEGABYTES = new Metric("mb_s", "MB/s", false);
  private static final Metric ITEMS_PER_CPU =
      new Metric("items_cpu_s", "items/client CPU-s", false);
  private static final Metric GATEWAY_CPU = new Metric("gateway_cpu_s", "gateway CPU s", true);
  private static final String SINGLE = "single GETs";
  private static final String BATCH = "batches";
  private static final String GETBATCH = "GetBatch: 15x at 10 KiB, 1.7x at 1 MiB (NVIDIA AIStore)";
  private static final int LATENCY = 20;

  private Experiments() {}

  /** All, in the order they are played; {@code quick}: fewer settings and rounds. */
  public static List<Experiment> all(boolean quick) {
    return List.of(EpochExperiment.of(quick), getbatch(quick), ranks(quick), gateways(quick));
  }

  /**
   * Those of these names, in the catalogue's order; all of them without names.
   *
   * @throws IllegalArgumentException if one is unknown; the message says which there are
   */
  public static List<Experiment> named(List<String> names, boolean quick) {
    List<Experiment> all = all(quick);
    List<String> known = all.stream().map(Experiment::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no experiment is called " + name + "; known: " + String.join(", ", known));
      }
    }
    return all.stream().filter(one -> names.isEmpty() || names.contains(one.name())).toList();
  }

  private static Experiment getbatch(boolean quick) {
    List<Setting> settings = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    Map<String, Double> factors = Map.of("10KiB", 15.0, "100KiB", 5.0, "1MiB", 1.7);
    for (String size : List.of("10KiB", "100KiB", "1MiB")) {
      String name = size + ", " + LATENCY + " ms";
      settings.add(reading(name, LATENCY, size));
      bars.add(new Bar(name, BATCH, SINGLE, ITEMS, factors.getOrDefault(size, 1.0), GETBATCH));
    }
    String bare = "10KiB, no latency";
    settings.add(reading(bare, 0, "10KiB"));
    bars.add(new Bar(bare, BATCH, SINGLE, ITEMS_PER_CPU, 3, "a goal of ours"));
    if (!quick) {
      settings.add(reading("100KiB, no latency", 0, "100KiB"));
      settings.add(reading("1MiB, no latency", 0, "1MiB"));
    }
    return new Experiment(
        "getbatch",
        "How many objects a second does one client get over 4 connections?",
        settings,
        List.of(
            Variant.alone(SINGLE, Program.READER, Route.STORE, "single"),
            Variant.alone(SINGLE + " through the gateway", Program.READER, Route.GATEWAY, "single"),
            Variant.alone(BATCH, Program.READER, Route.GATEWAY, "batch")),
        List.of(ITEMS, MEGABYTES, ITEMS_PER_CPU, GATEWAY_CPU),
        bars,
        quick ? 2 : 5);
  }

  private static Setting reading(String name, int latency, String size) {
    String items = size.equals("1MiB") ? "256" : "2048";
    String batch = size.equals("1MiB") ? "16" : "64";
    return new Setting(
        name, latency, 0, Map.of("connections", "4", "size", size, "items", items, "batch", batch));
  }

  private static Experiment ranks(boolean quick) {
    List<Setting> settings = new ArrayList<>();
    List<Integer> counts = quick ? List.of(1, 2, 4, 8) : List.of(1, 2, 3, 4, 6, 8);
    for (int ranks : counts) {
      settings.add(epochOf(ranks + (ranks == 1 ? " rank" : " ranks"), ranks));
    }
    return new Experiment(
        "ranks",
        "Does the total of all ranks fall when more of them share one gateway?",
        settings,
        List.of(Variant.alone("epochs", Program.READER, Route.GATEWAY, "epoch")),
        List.of(ITEMS, MEGABYTES, GATEWAY_CPU),
        List.of(),
        quick ? 2 : 5);
  }

  private static Experiment gateways(boolean quick) {
    Variant one = Variant.alone("epochs", Program.READER, Route.GATEWAY, "epoch");
    List<Variant> variants = new ArrayList<>();
    for (int count : quick ? List.of(1, 2) : List.of(1, 2, 4)) {
      String name = count + (count == 1 ? " gateway" : " gateways");
      variants.add(new Variant(name, name, one.program(), one.route(), count, one.orders()));
    }
    return new Experiment(
        "gateways",
        "What do more gateways bring to 8 ranks? All of them share the DPU's cores here.",
        List.of(epochOf("8 ranks", 8)),
        variants,
        List.of(ITEMS, MEGABYTES, GATEWAY_CPU),
        List.of(),
        quick ? 2 : 5);
  }

  private static Setting epochOf(String name, int ranks) {
    return new Setting(
        name,
        LATENCY,
        0,
        Map.of(
            "connections", Integer.toString(ranks),
            "size", "100KiB",
            "items", "4096",
            "batch", "64"));
  }
}
