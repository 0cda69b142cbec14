package io.penstock.loadtest.store;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the store has seen, so that a bench can tell how many requests a gateway really made.
 *
 * <p>Threading: any.
 */
public final class StoreCounters {
  private final LongAdder requests = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder stalls = new LongAdder();

  /** The counts at one moment. */
  public record Snapshot(long requests, long sent, long received, long stalls) {
    public static final Snapshot NONE = new Snapshot(0, 0, 0, 0);

    public Snapshot minus(Snapshot before) {
      return new Snapshot(
          requests - before.requests,
          sent - before.sent,
          received - before.received,
          stalls - before.stalls);
    }
  }

  void request() {
    requests.increment();
  }

  void sent(long bytes) {
    sent.add(bytes);
  }

  void received(long bytes) {
    received.add(bytes);
  }

  void stall() {
    stalls.increment();
  }

  public Snapshot snapshot() {
    return new Snapshot(requests.sum(), sent.sum(), received.sum(), stalls.sum());
  }
}
