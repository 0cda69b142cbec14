package io.penstock.gateway.app;

/** Where the gateway is in its life; read by every event loop and by the health checks. */
final class Lifecycle {
  /** The phases, in order. */
  enum Phase {
    STARTING,
    SERVING,
    DRAINING
  }

  private volatile Phase phase = Phase.STARTING;

  synchronized void serving() {
    if (phase == Phase.STARTING) {
      phase = Phase.SERVING;
    }
  }

  synchronized void drain() {
    phase = Phase.DRAINING;
  }

  boolean draining() {
    return phase == Phase.DRAINING;
  }

  Phase phase() {
    return phase;
  }
}
