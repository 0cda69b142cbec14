package io.penstock.dpu.transform.split;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which stream computes next, and how many samples. A stream enters by a reservation: it is
 * admitted when all that are admitted can work at once, in the order they came, so a large one is
 * not overtaken for ever. The samples a stream may have in steps at once are its {@link
 * BatchAdapter} share; a step is also no longer than the step time, so that nobody waits long
 * behind it. Of the streams with something to do, the one that was served least time is next, and
 * if memory does not have room for its step nobody overtakes it. At no time do fixed bytes and
 * steps hold more than the memory; when nothing runs, whoever is next fits.
 *
 * <p>Threading: confined to its caller's lock. Time enters as what steps took.
 */
public final class StepQueue {
  /** Weight of the last step in what a sample is taken to cost. */
  private static final double NEWS = 0.25;

  private final long memory;
  private final double stepSeconds;
  private final Map<String, Stream> streams = new LinkedHashMap<>();
  private final Deque<Demand> waiting = new ArrayDeque<>();
  private long held;

  /** What became of a stream that came. */
  public enum Admission {
    ADMITTED,
    /** Until others leave. */
    WAITS,
    /** Never: it needs more than the memory there is. */
    TOO_LARGE
  }

  /**
   * Work to do now, whose memory is reserved until it is {@link #done}.
   *
   * @param bytes what it may hold
   * @param expected seconds of a thread, 0 if not known yet
   */
  public record Step(String id, int samples, long bytes, double expected) {}

  /**
   * An empty queue.
   *
   * @param memory bytes for all streams
   * @param stepSeconds how long a step should take at most
   */
  public StepQueue(long memory, double stepSeconds) {
    Checks.notNegative("memory", memory);
    Checks.positive("stepSeconds", stepSeconds);
    this.memory = memory;
    this.stepSeconds = stepSeconds;
  }

  private static final class Stream {
    final Demand demand;
    int share;
    long ready;
    int running;
    double served;
    double sampleSeconds = Double.NaN;

    Stream(Demand demand, double served) {
      this.demand = demand;
      this.served = served;
    }

    int step(double stepSeconds) {
      int timely =
          Double.isNaN(sampleSeconds)
              ? demand.least()
              : (int) Math.clamp(stepSeconds / sampleSeconds, demand.least(), demand.requested());
      return (int) Math.min(Math.min(timely, share - running), ready);
    }
  }

  /**
   * A stream comes.
   *
   * @throws IllegalArgumentException if one of that id is here
   */
  public Admission enter(Demand demand) {
    if (streams.containsKey(demand.id())
        || waiting.stream().anyMatch(other -> other.id().equals(demand.id()))) {
      throw new IllegalArgumentException(demand.id() + " is here already");
    }
    if (demand.bytes(demand.least()) > memory) {
      return Admission.TOO_LARGE;
    }
    waiting.add(demand);
    admit();
    return isAdmitted(demand.id()) ? Admission.ADMITTED : Admission.WAITS;
  }

  /** Whether it may work. */
  public boolean isAdmitted(String id) {
    return streams.containsKey(id);
  }

  /** Bytes that are reserved now; never more than the memory. */
  public long held() {
    return held;
  }

  /**
   * A stream goes, admitted or not; none of its steps may run.
   *
   * @throws IllegalStateException if one does
   */
  public void leave(String id) {
    Stream stream = streams.get(id);
    if (stream == null) {
      waiting.removeIf(demand -> demand.id().equals(id));
    } else if (stream.running > 0) {
      throw new IllegalStateException(id + " leaves in the middle of a step");
    } else {
      streams.remove(id);
      held -= stream.demand.fixedBytes();
      share();
    }
    admit();
  }

  /** An admitted stream has {@code samples} more to compute. */
  public void ready(String id, int samples) {
    Stream stream = admitted(id);
    if (stream.ready == 0 && stream.running == 0) {
      // who was idle has not saved up time
      stream.served = Math.max(stream.served, leastServed());
    }
    stream.ready += samples;
  }

  /** The next step, if there is one and memory for it. */
  public Optional<Step> next() {
    Optional<Stream> first =
        streams.values().stream()
            .filter(stream -> stream.step(stepSeconds) > 0)
            .min(Comparator.comparingDouble(stream -> stream.served));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    Stream stream = first.get();
    int samples = stream.step(stepSeconds);
    long bytes = stream.demand.sampleBytes() * samples;
    if (bytes > memory - held) {
      return Optional.empty();
    }
    held += bytes;
    stream.ready -= samples;
    stream.running += samples;
    double expected = Double.isNaN(stream.sampleSeconds) ? 0 : stream.sampleSeconds * samples;
    stream.served += expected;
    return Optional.of(new Step(stream.demand.id(), samples, bytes, expected));
  }

  /** A step has ended and gave its memory back; it took {@code seconds} of a thread. */
  public void done(Step step, double seconds) {
    Checks.notNegative("seconds", seconds);
    Stream stream = admitted(step.id());
    held -= step.bytes();
    stream.running -= step.samples();
    stream.served += seconds - step.expected();
    double now = Math.max(seconds / step.samples(), Double.MIN_NORMAL);
    stream.sampleSeconds =
        Double.isNaN(stream.sampleSeconds)
            ? now
            : stream.sampleSeconds + NEWS * (now - stream.sampleSeconds);
    admit();
  }

  private Stream admitted(String id) {
    return Objects.requireNonNull(streams.get(id), () -> id + " is not admitted");
  }

  private double leastServed() {
    return streams.values().stream()
        .filter(stream -> stream.ready > 0 || stream.running > 0)
        .mapToDouble(stream -> stream.served)
        .min()
        .orElse(0);
  }

  private void admit() {
    boolean changed = false;
    while (!waiting.isEmpty()) {
      Demand demand = waiting.element();
      List<Demand> all = new ArrayList<>(streams.values().stream().map(s -> s.demand).toList());
      all.add(demand);
      // what runs now is held besides: the fixed bytes of a newcomer must find room at once
      if (!BatchAdapter.fits(memory, all) || demand.fixedBytes() > memory - held) {
        break;
      }
      waiting.remove();
      held += demand.fixedBytes();
      streams.put(demand.id(), new Stream(demand, leastServed()));
      changed = true;
    }
    if (changed) {
      share();
    }
  }

  private void share() {
    List<Stream> all = List.copyOf(streams.values());
    List<Integer> shares =
        BatchAdapter.shares(memory, all.stream().map(stream -> stream.demand).toList());
    for (int i = 0; i < all.size(); i++) {
      all.get(i).share = shares.get(i);
    }
  }
}
