package io.penstock.loadtest.lab.bed;

import io.penstock.loadtest.lab.plan.Topology;
import io.penstock.loadtest.lab.plan.Topology.Place;
import io.penstock.loadtest.lab.plan.Topology.Rate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Three network namespaces of this process, joined by two shaped links (veth and tbf; ip-netns(8),
 * tc-tbf(8)). Nothing of the machine's own network is touched.
 *
 * <p>Threading: one thread; {@link #close} from any, once or more.
 *
 * <p>Ownership: every process inside belongs to the lab and is ended by {@link #close}.
 */
public final class Namespaces implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");
  private static final long GRACE_SECONDS = 10;

  private final LabName name;

  private Namespaces(LabName name) {
    this.name = name;
  }

  /**
   * Makes them, after removing those of labs that are dead.
   *
   * @throws BedException if this machine or this user cannot
   */
  public static Namespaces create(Topology topology) throws BedException, InterruptedException {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      throw new BedException(obstacle.get());
    }
    removeStale();
    var made = new Namespaces(LabName.ofThisProcess());
    boolean done = false;
    try {
      made.build(topology);
      done = true;
      return made;
    } finally {
      if (!done) {
        made.close();
      }
    }
  }

  /** Why no lab can be here, and what to do; empty: it can. */
  public static Optional<String> obstacle() throws BedException, InterruptedException {
    for (String tool : List.of("ip", "tc", "taskset")) {
      if (Shell.run(List.of("sh", "-c", "command -v " + tool)).code() != 0) {
        return Optional.of(
            "the lab needs " + tool + "; install it, e.g. apt-get install iproute2 util-linux");
      }
    }
    return Shell.must("id", "-u").equals("0")
        ? Optional.empty()
        : Optional.of("the lab makes network namespaces and needs root: run it with sudo");
  }

  /** The namespaces of labs whose process is gone, with all that still runs in them. */
  private static void removeStale() throws BedException, InterruptedException {
    for (String line : Shell.must("ip", "netns", "list").lines().toList()) {
      String namespace = line.split(" ", 2)[0];
      if (LabName.of(namespace).filter(lab -> !lab.lives(PROC)).isPresent()) {
        remove(namespace);
      }
    }
  }

  private void build(Topology topology) throws BedException, InterruptedException {
    for (Place place : Place.values()) {
      Shell.must("ip", "netns", "add", name.namespace(place));
      inside(place, "ip", "link", "set", "lo", "up");
    }
    link(Place.HOST, Place.DPU, topology.hostToDpu());
    address(Place.HOST, "dpu", Topology.HOST_ADDRESS);
    address(Place.DPU, "host", Topology.DPU_ADDRESS);
    link(Place.DPU, Place.STORE, topology.dpuToStore());
    address(Place.DPU, "store", Topology.DPU_STORE_ADDRESS);
    address(Place.STORE, "dpu", Topology.STORE_ADDRESS);
    inside(Place.HOST, "ip", "route", "add", "default", "via", Topology.DPU_ADDRESS);
    inside(Place.STORE, "ip", "route", "add", "default", "via", Topology.DPU_STORE_ADDRESS);
    inside(Place.DPU, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
  }

  private void link(Place one, Place other, Rate rate) throws BedException, InterruptedException {
    Shell.must(
        "ip",
        "link",
        "add",
        other.lower(),
        "netns",
        name.namespace(one),
        "type",
        "veth",
        "peer",
        "name",
        one.lower(),
        "netns",
        name.namespace(other));
    shape(one, other.lower(), rate);
    shape(other, one.lower(), rate);
  }

  private void shape(Place place, String device, Rate rate)
      throws BedException, InterruptedException {
    inside(place, "ip", "link", "set", device, "up");
    inside(
        place,
        "tc",
        "qdisc",
        "add",
        "dev",
        device,
        "root",
        "tbf",
        "rate",
        rate.text(),
        "burst",
        Long.toString(rate.burst()),
        "latency",
        "50ms");
  }

  private void address(Place place, String device, String address)
      throws BedException, InterruptedException {
    inside(place, "ip", "address", "add", address + "/24", "dev", device);
  }

  private void inside(Place place, String... command) throws BedException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", name.namespace(place)));
    whole.addAll(List.of(command));
    Shell.must(whole.toArray(String[]::new));
  }

  /** What to put before a command that shall run there, on that core. */
  public List<String> entry(Place place, int core) {
    return List.of(
        "ip", "netns", "exec", name.namespace(place), "taskset", "-c", Integer.toString(core));
  }

  private static void remove(String namespace) throws BedException, InterruptedException {
    List<ProcessHandle> inside = processes(namespace);
    inside.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    while (!inside.isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(50);
      inside = processes(namespace);
    }
    inside.forEach(ProcessHandle::destroyForcibly);
    Shell.must("ip", "netns", "delete", namespace);
  }

  private static List<ProcessHandle> processes(String namespace)
      throws BedException, InterruptedException {
    return Shell.must("ip", "netns", "pids", namespace)
        .lines()
        .map(Long::parseLong)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  @Override
  public void close() {
    // from the host outwards: consumers before what they read from
    for (Place place : Place.values()) {
      String namespace = name.namespace(place);
      try {
        boolean exists =
            Shell.must("ip", "netns", "list")
                .lines()
                .anyMatch(line -> line.split(" ", 2)[0].equals(namespace));
        if (exists) {
          remove(namespace);
        }
      } catch (BedException e) {
        System.err.println("cannot remove " + namespace + ": " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
