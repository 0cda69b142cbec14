package io.penstock.loadtest.plan;

import java.time.Duration;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;

/**
 * When requests are due in an open loop: offsets from the start in nanoseconds, never decreasing
 * and never ending, fixed before the first answer arrives. A slow server therefore cannot slow the
 * arrivals down, which is what makes waiting visible in the latencies.
 *
 * <p>Threading: schedules are immutable; each iterator belongs to one thread.
 */
public sealed interface ArrivalSchedule {

  /** The offsets in nanoseconds, from the first arrival on; every call starts anew. */
  PrimitiveIterator.OfLong offsets();

  /** The mean number of arrivals per second at this offset. */
  double rateAt(long offsetNanos);

  /**
   * Every {@code parts}-th arrival from the {@code part}-th on: together the parts are the whole.
   */
  default PrimitiveIterator.OfLong offsets(int part, int parts) {
    if (part < 0 || part >= parts) {
      throw new IllegalArgumentException("part " + part + " of " + parts);
    }
    PrimitiveIterator.OfLong all = offsets();
    for (int i = 0; i < part; i++) {
      all.nextLong();
    }
    return new Thinned(all, parts);
  }

  /** Evenly spaced arrivals. Offset {@code i} is {@code i / perSecond}, so no error adds up. */
  record Constant(double perSecond) implements ArrivalSchedule {
    public Constant {
      requireRate(perSecond);
    }

    @Override
    public PrimitiveIterator.OfLong offsets() {
      return new Offsets() {
        private long index;

        @Override
        public long nextLong() {
          return (long) (index++ * (1e9 / perSecond));
        }
      };
    }

    @Override
    public double rateAt(long offsetNanos) {
      return perSecond;
    }
  }

  /** Independent arrivals: exponential gaps with mean {@code 1 / perSecond}, from a seed. */
  record Poisson(double perSecond, long seed) implements ArrivalSchedule {
    public Poisson {
      requireRate(perSecond);
    }

    @Override
    public PrimitiveIterator.OfLong offsets() {
      var random = new SplittableRandom(seed);
      return new Offsets() {
        private double at;

        @Override
        public long nextLong() {
          at += -Math.log1p(-random.nextDouble()) * (1e9 / perSecond);
          return (long) at;
        }
      };
    }

    @Override
    public double rateAt(long offsetNanos) {
      return perSecond;
    }
  }

  /** Evenly spaced arrivals whose rate changes stage by stage; the last stage goes on for ever. */
  record Step(List<Stage> stages) implements ArrivalSchedule {
    /** One rate, held for a while. */
    public record Stage(double perSecond, Duration length) {
      public Stage {
        requireRate(perSecond);
        if (!length.isPositive()) {
          throw new IllegalArgumentException("a stage must last longer than 0 s, not " + length);
        }
      }
    }

    public Step {
      stages = List.copyOf(stages);
      if (stages.isEmpty()) {
        throw new IllegalArgumentException("a step schedule needs at least one stage");
      }
    }

    @Override
    public PrimitiveIterator.OfLong offsets() {
      return new StageOffsets(stages);
    }

    @Override
    public double rateAt(long offsetNanos) {
      long end = 0;
      for (Stage stage : stages) {
        end += stage.length().toNanos();
        if (offsetNanos < end) {
          return stage.perSecond();
        }
      }
      return stages.getLast().perSecond();
    }
  }

  private static void requireRate(double perSecond) {
    if (!(perSecond > 0 && perSecond <= 1e9)) {
      throw new IllegalArgumentException("a rate is above 0 and at most 1e9/s, not " + perSecond);
    }
  }

  /** An endless iterator. */
  abstract class Offsets implements PrimitiveIterator.OfLong {
    private Offsets() {}

    @Override
    public final boolean hasNext() {
      return true;
    }
  }

  /** Passes one arrival of {@code parts} and skips the others. */
  final class Thinned extends Offsets {
    private final PrimitiveIterator.OfLong all;
    private final int parts;
    private boolean started;

    private Thinned(PrimitiveIterator.OfLong all, int parts) {
      this.all = all;
      this.parts = parts;
    }

    @Override
    public long nextLong() {
      for (int i = 1; started && i < parts; i++) {
        all.nextLong();
      }
      started = true;
      return all.nextLong();
    }
  }

  /** Walks the stages; within a stage the offsets are multiples of its own gap. */
  final class StageOffsets extends Offsets {
    private final List<Step.Stage> stages;
    private int stage;
    private long stageStart;
    private long index;

    private StageOffsets(List<Step.Stage> stages) {
      this.stages = stages;
    }

    @Override
    public long nextLong() {
      while (true) {
        Step.Stage now = stages.get(stage);
        long within = (long) (index++ * (1e9 / now.perSecond()));
        boolean last = stage == stages.size() - 1;
        if (last || within < now.length().toNanos()) {
          return stageStart + within;
        }
        stageStart += now.length().toNanos();
        stage++;
        index = 0;
      }
    }
  }
}
