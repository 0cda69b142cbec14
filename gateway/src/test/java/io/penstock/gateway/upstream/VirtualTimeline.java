package io.penstock.gateway.upstream;

import io.penstock.gateway.http.Cancellation.Registration;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes only when the test says so; what is due runs in order. */
public final class VirtualTimeline implements Timeline {
  // nanoTime may be anything, so begin just before it wraps around
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task task) -> task.at).thenComparingLong(task -> task.number));
  private long now;
  private long numbers;

  private record Task(long at, long number, Runnable action) {}

  @Override
  public long nanoTime() {
    return START + now;
  }

  @Override
  public Registration after(Duration delay, Runnable action) {
    Task task = new Task(now + delay.toNanos(), numbers++, action);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  public Duration elapsed() {
    return Duration.ofNanos(now);
  }

  public int pending() {
    return tasks.size();
  }

  public void advance(Duration by) {
    long until = now + by.toNanos();
    while (!tasks.isEmpty() && tasks.peek().at <= until) {
      Task task = tasks.remove();
      now = task.at;
      task.action.run();
    }
    now = until;
  }
}
