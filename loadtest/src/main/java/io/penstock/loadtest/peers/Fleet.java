package io.penstock.loadtest.peers;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.store.Knobs;
import io.penstock.loadtest.store.StaticStore;
import io.penstock.loadtest.store.StoreCounters;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything the bench has running: the stores in this process, the proxies outside. Each is
 * started when it is first needed and stopped at the end.
 *
 * <p>Threading: one thread.
 */
final class Fleet implements AutoCloseable {
  private final Place place;
  private final Path directory;
  private final Map<Knobs, StaticStore> stores = new HashMap<>();
  private final Map<Variant, PeerProcess> proxies = new LinkedHashMap<>();
  private final Map<Variant, String> unavailable = new LinkedHashMap<>();

  /** Where things are: the repository, and the core that proxies are pinned to. */
  record Place(Path root, int proxyCore) {
    Path scripts() {
      return root.resolve("loadtest/peers");
    }
  }

  Fleet(Place place) throws IOException {
    this.place = place;
    Path shared = Path.of("/dev/shm");
    this.directory =
        Files.isWritable(shared)
            ? Files.createTempDirectory(shared, "penstock-bench-")
            : Files.createTempDirectory("penstock-bench-");
  }

  /** Starts what {@code variant} needs; false when it cannot run here. */
  boolean start(Variant variant, Scenario scenario) throws IOException, InterruptedException {
    StaticStore store =
        stores.computeIfAbsent(variant.store(), knobs -> new StaticStore("127.0.0.1", 0, 1, knobs));
    // each case has objects of its own, also if the process runs already
    if (variant.mode().equals("sendfile")) {
      writeFiles(scenario.objects());
    }
    if (variant.isDirect() || proxies.containsKey(variant.process())) {
      return true;
    }
    if (unavailable.containsKey(variant.process())) {
      return false;
    }
    try {
      Path script = place.scripts().resolve(variant.script() + ".sh");
      proxies.put(variant.process(), PeerProcess.start(script, orders(variant, store.port())));
      return true;
    } catch (PeerProcess.Unavailable e) {
      unavailable.put(variant.process(), variant.label() + ": " + e.getMessage());
      return false;
    }
  }

  private Map<String, String> orders(Variant variant, int storePort)
      throws IOException, InterruptedException, PeerProcess.Unavailable {
    Map<String, String> orders = new HashMap<>();
    orders.put("CORE", Integer.toString(place.proxyCore()));
    orders.put("STORE", "127.0.0.1:" + storePort);
    orders.put("MODE", variant.mode());
    orders.put("TLS", variant.tls() ? "1" : "0");
    orders.put("FILES", directory.toString());
    orders.put("ROOT", place.root().toString());
    orders.put("JAVA", ProcessHandle.current().info().command().orElse("java"));
    orders.put("EXTRA", variant.extra());
    if (variant.tls()) {
      certificate();
    }
    orders.put("CERT", directory.resolve("cert.pem").toString());
    orders.put("KEY", directory.resolve("key.pem").toString());
    return orders;
  }

  private void certificate() throws IOException, InterruptedException, PeerProcess.Unavailable {
    if (Files.exists(directory.resolve("cert.pem"))) {
      return;
    }
    int code =
        new ProcessBuilder(
                place.scripts().resolve("certificate.sh").toString(), directory.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0) {
      throw new PeerProcess.Unavailable("no certificate: is openssl installed?");
    }
  }

  private void writeFiles(Scenario.Objects objects) throws IOException {
    Path bucket = Files.createDirectories(directory.resolve(objects.bucket()));
    for (long size : objects.sizes().values()) {
      for (int n = 0; n < objects.count(); n++) {
        Path file = bucket.resolve(Scenario.Objects.key(size, n));
        if (!Files.exists(file)) {
          try (var out =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (ByteBuf piece : Content.slices(n, 0, size)) {
              out.write(piece.nioBuffer());
            }
          }
        }
      }
    }
  }

  /** The port that clients of {@code variant} connect to. */
  int port(Variant variant) {
    PeerProcess proxy = proxies.get(variant.process());
    return proxy == null ? store(variant).port() : proxy.port();
  }

  /** The process to charge; empty without a proxy. */
  Optional<Long> pid(Variant variant) {
    return Optional.ofNullable(proxies.get(variant.process())).map(PeerProcess::pid);
  }

  StoreCounters.Snapshot storeCounters(Variant variant) {
    return store(variant).counters();
  }

  private StaticStore store(Variant variant) {
    StaticStore store = stores.get(variant.store());
    if (store == null) {
      throw new IllegalStateException(variant + " was not started");
    }
    return store;
  }

  /** Which peers could not be started, and why. */
  List<String> unavailable() {
    return List.copyOf(unavailable.values());
  }

  @Override
  public void close() {
    proxies.values().forEach(PeerProcess::close);
    proxies.clear();
    stores.values().forEach(StaticStore::close);
    stores.clear();
    if (Files.exists(directory)) {
      PeerProcess.remove(directory);
    }
  }
}
