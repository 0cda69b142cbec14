package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class StepQueueProperties {

  /** A queue next to a count of what it must have reserved. */
  private static final class Fire {
    final Random random;
    final long memory;
    final StepQueue queue;
    final Map<String, Demand> here = new HashMap<>();
    final Map<String, Integer> left = new HashMap<>();
    final List<StepQueue.Step> running = new ArrayList<>();
    final Set<String> refused = new HashSet<>();

    Fire(long seed, long memory) {
      this.random = new Random(seed);
      this.memory = memory;
      this.queue = new StepQueue(memory, 0.1);
    }

    void come(String id) {
      int least = 1 + random.nextInt(8);
      Demand demand =
          new Demand(
              id, random.nextInt(2000), 1 + random.nextInt(200), least, least + random.nextInt(90));
      StepQueue.Admission admission = queue.enter(demand);
      assertThat(admission == StepQueue.Admission.TOO_LARGE)
          .isEqualTo(demand.bytes(demand.least()) > memory);
      if (admission == StepQueue.Admission.TOO_LARGE) {
        refused.add(id);
      } else {
        here.put(id, demand);
        left.put(id, 1 + random.nextInt(300));
      }
      giveWork();
    }

    /** Streams that were admitted since hand in what they have. */
    void giveWork() {
      left.replaceAll(
          (id, samples) -> {
            if (samples > 0 && queue.isAdmitted(id)) {
              queue.ready(id, samples);
              return -samples;
            }
            return samples;
          });
    }

    boolean start() {
      Optional<StepQueue.Step> step = queue.next();
      step.ifPresent(
          s -> {
            Demand demand = here.get(s.id());
            assertThat(s.samples()).isBetween(1, demand.requested());
            assertThat(s.bytes()).isEqualTo(demand.sampleBytes() * s.samples());
            running.add(s);
          });
      check();
      return step.isPresent();
    }

    void end() {
      StepQueue.Step step = running.remove(random.nextInt(running.size()));
      queue.done(step, random.nextDouble() * 0.2);
      left.merge(step.id(), step.samples(), Integer::sum);
      if (left.get(step.id()) == 0) {
        queue.leave(step.id());
        here.remove(step.id());
        left.remove(step.id());
      }
      giveWork();
      check();
    }

    void check() {
      long fixed =
          here.values().stream()
              .filter(demand -> queue.isAdmitted(demand.id()))
              .mapToLong(Demand::fixedBytes)
              .sum();
      long steps = running.stream().mapToLong(StepQueue.Step::bytes).sum();
      assertThat(queue.held()).isEqualTo(fixed + steps).isLessThanOrEqualTo(memory);
    }
  }

  @Property(tries = 300)
  void neverHoldsMoreThanTheMemoryAndAllFinish(
      @ForAll @LongRange long seed,
      @ForAll @IntRange(min = 1, max = 25) int streams,
      @ForAll @LongRange(min = 500, max = 20_000) long memory) {
    Fire fire = new Fire(seed, memory);
    int come = 0;
    while (come < streams || !fire.here.isEmpty()) {
      if (come < streams && fire.random.nextInt(4) == 0) {
        fire.come("s" + come++);
      } else if (!fire.running.isEmpty() && fire.random.nextBoolean()) {
        fire.end();
      } else if (!fire.start() && fire.running.isEmpty()) {
        // nothing runs and nothing can start: then nobody may be here
        assertThat(fire.here).isEmpty();
        if (come < streams) {
          fire.come("s" + come++);
        }
      }
    }
    assertThat(fire.queue.held()).isZero();
  }
}
