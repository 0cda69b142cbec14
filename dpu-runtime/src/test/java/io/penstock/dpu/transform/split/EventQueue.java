package io.penstock.dpu.transform.split;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/** Virtual time: what happens, in its order. */
final class EventQueue {

  private record Event(double at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private double now;
  private long order;

  double now() {
    return now;
  }

  void after(double seconds, Runnable what) {
    events.add(new Event(now + seconds, order++, what));
  }

  /** Runs the next event; false if there is none. */
  boolean step() {
    Event event = events.poll();
    if (event == null) {
      return false;
    }
    now = event.at();
    event.what().run();
    return true;
  }

  /** Something that does {@code width} things at a time, in the order in which they came. */
  final class Server {
    private final int width;
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private int busy;

    Server(int width) {
      this.width = width;
    }

    void serve(double seconds, Runnable done) {
      queue.add(
          () ->
              after(
                  seconds,
                  () -> {
                    busy--;
                    done.run();
                    pump();
                  }));
      pump();
    }

    private void pump() {
      while (busy < width && !queue.isEmpty()) {
        busy++;
        queue.remove().run();
      }
    }
  }
}
