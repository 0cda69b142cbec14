package io.penstock.gateway.app;

import java.util.concurrent.atomic.AtomicReference;

/** Where the gateway is in its life; read by every event loop and by the health checks. */
final class Lifecycle {
  /** The phases, in order. */
  enum Phase {
    STARTING,
    SERVING,
    DRAINING
  }

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

  void serving() {
    phase.compareAndSet(Phase.STARTING, Phase.SERVING);
  }

  void drain() {
    phase.set(Phase.DRAINING);
  }

  boolean draining() {
    return phase.get() == Phase.DRAINING;
  }

  Phase phase() {
    return phase.get();
  }
}
