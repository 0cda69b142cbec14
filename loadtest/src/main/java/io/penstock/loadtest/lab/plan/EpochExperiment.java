package io.penstock.loadtest.lab.plan;

import io.penstock.loadtest.lab.plan.Experiment.Bar;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.lab.plan.Variant.Program;
import io.penstock.loadtest.lab.plan.Variant.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * OS2G's experiment: an epoch of training over small pictures, by the way that they come. The
 * paper's figures: 34.3 % and 50.4 % less time than s3fs and an SDK's loader, 61.9 % and 57.7 %
 * less CPU of the host.
 */
final class EpochExperiment {
  private static final Metric FIRST = new Metric("epoch1_s", "first epoch s", true);
  private static final Metric LATER = new Metric("epoch2_s", "second epoch s", true);
  private static final Metric CPU = new Metric("cpu1_s", "host CPU s", true);
  private static final Metric LATER_CPU = new Metric("cpu2_s", "host CPU s, second", true);
  private static final Metric MODEL = new Metric("model_s", "computing alone s", true);
  private static final Metric GATEWAY_CPU =
      new Metric("gateway_cpu_s", "gateway CPU s, both", true);
  private static final String S3FS = "s3fs";
  private static final String SDK = "boto3 + DataLoader";
  private static final String URL = "Penstock's URL, boto3";
  private static final String BATCHES = "Penstock batches";
  private static final String PAPER = "OS2G (ASPLOS 2025)";
  private static final int LATENCY = 20;

  private EpochExperiment() {}

  static Experiment of(boolean quick) {
    List<Setting> settings = new ArrayList<>();
    settings.add(setting("100KiB, GPU stand-in", "100KiB", "wait", quick ? 512 : 1024));
    if (!quick) {
      settings.add(setting("16KiB, GPU stand-in", "16KiB", "wait", 1024));
      settings.add(setting("1MiB, GPU stand-in", "1MiB", "wait", 256));
      settings.add(setting("100KiB, small CNN on the CPU", "100KiB", "cnn", 1024));
    }
    return new Experiment(
        "os2g",
        "How long does an epoch of training take, and how much of the host's CPU?",
        settings,
        variants(quick),
        List.of(FIRST, CPU, LATER, LATER_CPU, MODEL, GATEWAY_CPU),
        bars(),
        quick ? 2 : 5);
  }

  private static Setting setting(String name, String size, String step, int items) {
    return new Setting(
        name,
        LATENCY,
        0,
        Map.of("size", size, "items", Integer.toString(items), "batch", "32", "step", step));
  }

  private static List<Variant> variants(boolean quick) {
    List<Variant> variants = new ArrayList<>();
    for (int workers : quick ? List.of(4, 16) : List.of(2, 4, 8, 16, 32)) {
      String suffix = ", " + workers + " workers";
      String count = Integer.toString(workers);
      variants.add(epoch(S3FS, Route.STORE, "s3fs").tuned(suffix, "workers", count));
      variants.add(epoch(SDK, Route.STORE, "boto3").tuned(suffix, "workers", count));
      variants.add(epoch(URL, Route.GATEWAY, "boto3").tuned(suffix, "workers", count));
    }
    for (String workers : quick ? List.of("1") : List.of("1", "2", "4")) {
      String suffix = workers.equals("1") ? ", 1 worker" : ", " + workers + " workers";
      variants.add(epoch(BATCHES, Route.GATEWAY, "batches").tuned(suffix, "workers", workers));
    }
    return variants;
  }

  private static Variant epoch(String name, Route route, String mode) {
    return Variant.alone(name, Program.EPOCH, route, mode);
  }

  private static List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (String family : List.of(URL, BATCHES)) {
      bars.add(new Bar("", family, S3FS, FIRST, 1.52, PAPER));
      bars.add(new Bar("", family, S3FS, CPU, 1 / 0.38, PAPER));
      bars.add(new Bar("", family, SDK, FIRST, 2.02, PAPER));
      bars.add(new Bar("", family, SDK, CPU, 1 / 0.42, PAPER));
      bars.add(new Bar("", family, S3FS, LATER, 1.52, PAPER));
      bars.add(new Bar("", family, SDK, LATER, 2.02, PAPER));
    }
    return bars;
  }
}
