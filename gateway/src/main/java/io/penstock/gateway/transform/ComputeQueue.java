package io.penstock.gateway.transform;

import io.penstock.dpu.transform.split.Demand;
import io.penstock.dpu.transform.split.StepQueue;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Shares the codec threads between streams that compute, as {@link StepQueue} says: each step is a
 * run of samples of one stream, and the stream that was served least time is next.
 *
 * <p>Threading: any thread.
 */
public final class ComputeQueue {
  /** How long others wait behind a step, about. */
  private static final double STEP_SECONDS = 0.05;

  private final Executor threads;
  private final int width;
  private final StepQueue steps;
  private final Map<String, Lane> lanes = new HashMap<>();
  private int busy;

  /**
   * A queue in front of {@code threads}.
   *
   * @param width how many threads there are
   * @param memory bytes that all samples being computed may take
   */
  public ComputeQueue(Executor threads, int width, long memory) {
    this.threads = threads;
    this.width = width;
    this.steps = new StepQueue(memory, STEP_SECONDS);
  }

  /** What one stream has computed, in the order in which it is handed in. */
  public final class Lane implements Executor {
    private final String id;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Optional<Runnable> closed = Optional.empty();
    private int running;

    private Lane(String id) {
      this.id = id;
    }

    @Override
    public void execute(Runnable task) {
      synchronized (ComputeQueue.this) {
        if (closed.isPresent()) {
          throw new RejectedExecutionException(id + " computes nothing more");
        }
        tasks.add(task);
        steps.ready(id, 1);
      }
      pump();
    }

    /** Takes no more; what was handed in is still done, and {@code then} runs after it. */
    public void close(Runnable then) {
      synchronized (ComputeQueue.this) {
        closed = Optional.of(then);
      }
      leaveIfDone();
    }

    private void leaveIfDone() {
      Runnable then;
      synchronized (ComputeQueue.this) {
        if (closed.isEmpty() || running > 0 || !tasks.isEmpty() || lanes.get(id) != this) {
          return;
        }
        then = closed.get();
        lanes.remove(id);
        steps.leave(id);
      }
      then.run();
    }
  }

  /**
   * A lane for a stream.
   *
   * @param sampleBytes what one sample takes while it is computed
   * @param batch samples of its batches
   * @throws S3Exception EntityTooLarge if a sample never fits, SlowDown if it does not just now
   */
  public Lane enter(String id, long sampleBytes, int batch) {
    synchronized (this) {
      switch (steps.enter(new Demand(id, 0, Math.max(1, sampleBytes), 1, batch))) {
        case ADMITTED -> {
          Lane lane = new Lane(id);
          lanes.put(id, lane);
          return lane;
        }
        case WAITS -> {
          steps.leave(id);
          throw new S3Exception(
              S3Error.SLOW_DOWN,
              "Streams of others compute with all the memory for models there is: try later.",
              Optional.of(Duration.ofSeconds(1)));
        }
        case TOO_LARGE ->
            throw new S3Exception(
                S3Error.ENTITY_TOO_LARGE,
                "One sample takes %d bytes to compute, more than models may have here: take an earlier split."
                    .formatted(sampleBytes));
      }
      throw new IllegalStateException("no such admission");
    }
  }

  /** Streams that compute. */
  public synchronized int streams() {
    return lanes.size();
  }

  private void pump() {
    while (true) {
      Lane lane;
      StepQueue.Step step;
      List<Runnable> tasks = new ArrayList<>();
      synchronized (this) {
        if (busy == width) {
          return;
        }
        Optional<StepQueue.Step> next = steps.next();
        if (next.isEmpty()) {
          return;
        }
        step = next.get();
        lane = Objects.requireNonNull(lanes.get(step.id()));
        for (int i = 0; i < step.samples(); i++) {
          tasks.add(lane.tasks.remove());
        }
        lane.running++;
        busy++;
      }
      Runnable work = () -> run(lane, step, tasks);
      try {
        threads.execute(work);
      } catch (RejectedExecutionException shutDown) {
        // what was taken on gives memory back, also now
        work.run();
      }
    }
  }

  private void run(Lane lane, StepQueue.Step step, List<Runnable> tasks) {
    long begun = System.nanoTime();
    try {
      tasks.forEach(Runnable::run);
    } finally {
      double seconds = (System.nanoTime() - begun) * 1e-9;
      synchronized (this) {
        busy--;
        lane.running--;
        steps.done(step, seconds);
      }
      lane.leaveIfDone();
      pump();
    }
  }
}
