package io.penstock.loadtest.lab;

import io.penstock.loadtest.lab.bed.BedException;
import io.penstock.loadtest.lab.bed.BedProcess;
import io.penstock.loadtest.lab.bed.Namespaces;
import io.penstock.loadtest.lab.plan.Setting;
import io.penstock.loadtest.lab.plan.Topology;
import io.penstock.loadtest.lab.plan.Topology.Place;
import io.penstock.loadtest.lab.plan.Variant;
import io.penstock.loadtest.lab.plan.Variant.Program;
import io.penstock.loadtest.lab.plan.Variant.Route;
import io.penstock.loadtest.peers.ProcessCpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What runs in the namespaces: stores by how slow they are, the gateways before each, one consumer
 * at a time. Each is started when it is first needed; gateways and stores of another latency idle
 * meanwhile.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of the processes; namespaces and folder are its creator's.
 */
final class Fabric implements AutoCloseable {
  private static final int FIRST_STORE_PORT = 9000;
  private static final int FIRST_GATEWAY_PORT = 9100;
  private static final int GATEWAYS = 10;
  private static final long CONSUMER_SECONDS = 300;

  private final Namespaces namespaces;
  private final Cores cores;
  private final Path root;
  private final Path directory;
  private final Map<Slowness, Origin> origins = new LinkedHashMap<>();
  private final ProcessCpu cpu = new ProcessCpu(Path.of("/proc"));
  private int consumers;

  /** Which core each place has. */
  record Cores(int host, int dpu, int store) {
    /** The host has one to itself; DPU and store share the next where there are only two. */
    static Cores ofThisMachine() {
      int count = Runtime.getRuntime().availableProcessors();
      return new Cores(0, Math.min(1, count - 1), Math.min(2, count - 1));
    }
  }

  private record Slowness(int latencyMillis, long connectionRate) {}

  /** A store with the gateways before it. */
  private record Origin(int index, BedProcess store, List<BedProcess> gateways) {
    int storePort() {
      return FIRST_STORE_PORT + index;
    }

    int gatewayPort(int number) {
      return FIRST_GATEWAY_PORT + index * GATEWAYS + number;
    }
  }

  /** What a consumer said, with the gateways' CPU time beside it. */
  record Said(List<String> lines, double gatewayCpuSeconds) {}

  Fabric(Namespaces namespaces, Cores cores, Path root, Path directory) {
    this.namespaces = namespaces;
    this.cores = cores;
    this.root = root;
    this.directory = directory;
  }

  /** Starts what {@code variant} needs in {@code setting}. */
  void prepare(Setting setting, Variant variant)
      throws BedException, IOException, InterruptedException {
    Origin origin = origin(setting);
    if (variant.route() == Route.GATEWAY) {
      while (origin.gateways().size() < variant.gateways()) {
        startGateway(origin);
      }
    }
  }

  private Origin origin(Setting setting) throws BedException, InterruptedException {
    var slowness = new Slowness(setting.latencyMillis(), setting.connectionRate());
    Origin known = origins.get(slowness);
    if (known != null) {
      return known;
    }
    int index = origins.size();
    int port = FIRST_STORE_PORT + index;
    List<String> command = new ArrayList<>(namespaces.entry(Place.STORE, cores.store()));
    command.addAll(ownProgram("store"));
    command.addAll(List.of("--host", Topology.STORE_ADDRESS, "--port", Integer.toString(port)));
    command.addAll(List.of("--latency", setting.latencyMillis() + "ms"));
    command.addAll(List.of("--rate", Long.toString(setting.connectionRate())));
    BedProcess store =
        BedProcess.start("the store", command, Map.of(), directory.resolve("store-" + index));
    var origin = new Origin(index, store, new ArrayList<>());
    origins.put(slowness, origin);
    store.awaitListening(port);
    return origin;
  }

  private void startGateway(Origin origin) throws BedException, IOException, InterruptedException {
    int number = origin.gateways().size();
    int port = origin.gatewayPort(number);
    Path folder = Files.createDirectories(directory.resolve("gateway-" + port));
    List<String> command = new ArrayList<>(namespaces.entry(Place.DPU, cores.dpu()));
    command.add(root.resolve("loadtest/lab/gateway.sh").toString());
    Map<String, String> orders = new HashMap<>();
    orders.put("ADDRESS", Topology.DPU_ADDRESS);
    orders.put("PORT", Integer.toString(port));
    orders.put("STORE", Topology.STORE_ADDRESS + ":" + origin.storePort());
    orders.put("DIR", folder.toString());
    orders.put("ROOT", root.toString());
    BedProcess gateway = BedProcess.start("the gateway", command, orders, folder.resolve("log"));
    origin.gateways().add(gateway);
    gateway.awaitListening(port);
  }

  /** The command of a consumer, as the report shows it. */
  List<String> command(Setting setting, Variant variant, Map<String, String> more)
      throws BedException, InterruptedException {
    Map<String, String> orders = new java.util.TreeMap<>(setting.orders());
    orders.putAll(variant.orders());
    orders.putAll(more);
    List<String> command = new ArrayList<>(namespaces.entry(Place.HOST, cores.host()));
    if (variant.program() == Program.READER) {
      command.addAll(ownProgram("lab-read"));
    } else {
      // Debian's own Python: the one that its packages python3-torch and python3-boto3 belong to
      command.addAll(List.of("/usr/bin/python3", root.resolve("loadtest/lab/epoch.py").toString()));
      orders.put("root", root.toString());
      orders.put("mount", directory.resolve("mount").toString());
    }
    command.add("--endpoint");
    command.add(endpoints(origin(setting), variant));
    orders.forEach(
        (name, value) -> {
          command.add("--" + name);
          command.add(value);
        });
    return command;
  }

  private static String endpoints(Origin origin, Variant variant) {
    return variant.route() == Route.STORE
        ? "http://" + Topology.STORE_ADDRESS + ":" + origin.storePort()
        : IntStream.range(0, variant.gateways())
            .mapToObj(n -> "http://" + Topology.DPU_ADDRESS + ":" + origin.gatewayPort(n))
            .collect(Collectors.joining(","));
  }

  /** Runs a consumer to its end. */
  Said run(Setting setting, Variant variant, Map<String, String> more)
      throws BedException, IOException, InterruptedException {
    Files.createDirectories(directory.resolve("mount"));
    Path log = directory.resolve("consumer-" + consumers++);
    Origin origin = origin(setting);
    double before = gatewayCpu(origin);
    List<String> command = command(setting, variant, more);
    try (BedProcess consumer =
        BedProcess.start("consumer " + variant.name(), command, Map.of(), log)) {
      List<String> lines = consumer.finish(CONSUMER_SECONDS);
      return new Said(lines, gatewayCpu(origin) - before);
    }
  }

  private double gatewayCpu(Origin origin) {
    return origin.gateways().stream().mapToDouble(one -> cpu.seconds(one.pid())).sum();
  }

  /** This program again, in a process of its own. */
  private List<String> ownProgram(String subcommand) {
    String java = ProcessHandle.current().info().command().orElse("java");
    return List.of(
        java,
        "@" + root.resolve("jvm.flags"),
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path", ""),
        "io.penstock.loadtest.LoadMain",
        subcommand);
  }

  @Override
  public void close() {
    for (Origin origin : origins.values()) {
      origin.gateways().forEach(BedProcess::close);
      origin.store().close();
    }
    origins.clear();
  }
}
