package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Twenty tenants with mixed networks on eight cores under 2 GiB, in virtual time. Simulated: no
 * figure of this is a measurement.
 */
class TenantsSimulation {
  private static final long BUDGET = 2L << 30;
  private static final int CORES = 8;
  private static final int TENANTS = 20;

  private static final class Tenant {
    final Demand demand;
    final double sampleSeconds;
    final int samples;
    int left;

    Tenant(Demand demand, double sampleSeconds, int samples) {
      this.demand = demand;
      this.sampleSeconds = sampleSeconds;
      this.samples = samples;
      this.left = samples;
    }
  }

  private final EventQueue events = new EventQueue();
  private final StepQueue queue = new StepQueue(BUDGET, 0.25);
  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Random random = new Random(4);
  private int idle = CORES;
  private long most;
  private static final double MEASURE_AT = 20;

  @Test
  void allFinishNoneStarvesAndMemoryHolds() {
    List<String> names = new ArrayList<>(ShapeTable.read().keySet());
    Map<String, NetworkProfile> networks = ShapeTable.read();
    for (int i = 0; i < TENANTS; i++) {
      NetworkProfile network = networks.get(names.get(i % names.size()));
      come("tenant" + i, network, 16 << (i % 5));
    }
    List<Double> shares = new ArrayList<>();
    boolean measured = false;
    pump();
    while (events.step()) {
      if (!measured && events.now() >= MEASURE_AT) {
        measured = true;
        assertThat(tenants.values()).allSatisfy(tenant -> assertThat(tenant.left).isPositive());
        // of what a tenant alone on a core would have done in that time
        tenants
            .values()
            .forEach(t -> shares.add((t.samples - t.left) * t.sampleSeconds / events.now()));
      }
    }
    double jain = jain(shares);
    System.out.printf(
        "simulated: %d tenants, Jain index of throughput per demand %.4f, most memory %d of %d"
            + " bytes, all done after %.0f s%n",
        TENANTS, jain, most, BUDGET, events.now());
    assertThat(measured).isTrue();
    assertThat(jain).isGreaterThanOrEqualTo(0.95);
    assertThat(most).isLessThanOrEqualTo(BUDGET);
    assertThat(tenants.values()).allSatisfy(tenant -> assertThat(tenant.left).isZero());
  }

  /** Weights are shared by streams of one network: only each step's memory is a stream's own. */
  private void come(String id, NetworkProfile network, int requested) {
    Candidate last =
        network
            .candidates(
                new NetworkProfile.Source(130 << 10, 3 * 224 * 224 * 4, 1 / 2000.0),
                new NetworkProfile.Consumer(100, 0, 0))
            .getLast();
    double seconds = last.near().seconds();
    Demand demand = new Demand(id, 1 << 20, last.near().sampleBytes(), 1, requested);
    Tenant tenant = new Tenant(demand, seconds, (int) Math.ceil(30 * CORES / seconds / TENANTS));
    tenants.put(id, tenant);
    assertThat(queue.enter(demand)).isEqualTo(StepQueue.Admission.ADMITTED);
    queue.ready(id, tenant.samples);
  }

  private void pump() {
    while (idle > 0) {
      Optional<StepQueue.Step> next = queue.next();
      most = Math.max(most, queue.held());
      if (next.isEmpty()) {
        return;
      }
      idle--;
      StepQueue.Step step = next.get();
      Tenant tenant = tenants.get(step.id());
      double seconds =
          step.samples() * tenant.sampleSeconds * Math.exp(0.2 * random.nextGaussian() - 0.02);
      events.after(seconds, () -> done(step, tenant, seconds));
    }
  }

  private void done(StepQueue.Step step, Tenant tenant, double seconds) {
    idle++;
    queue.done(step, seconds);
    tenant.left -= step.samples();
    if (tenant.left == 0) {
      queue.leave(step.id());
    }
    pump();
  }

  private static double jain(List<Double> shares) {
    double sum = shares.stream().mapToDouble(s -> s).sum();
    double squares = shares.stream().mapToDouble(s -> s * s).sum();
    return sum * sum / (shares.size() * squares);
  }
}
