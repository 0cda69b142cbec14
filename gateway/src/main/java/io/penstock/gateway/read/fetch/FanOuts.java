package io.penstock.gateway.read.fetch;

import io.penstock.config.UpstreamConfig;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.read.plan.FanOutLimits;
import io.penstock.gateway.read.plan.RangePlanner;
import io.penstock.gateway.upstream.Timeline;

/**
 * What all fan-outs of one event loop have in common.
 *
 * <p>Threading: confined to its event loop.
 */
public final class FanOuts {
  private final FanOutLimits limits;
  private final boolean enabled;
  private final RangePlanner planner;
  private final PartRoom room;
  private final Timeline timeline;
  private long latency;

  /** Leaves half of the pool's connections to others. */
  public FanOuts(UpstreamConfig config, MemoryBudget budget, Timeline timeline) {
    this(
        FanOutLimits.of(config.fanOut()),
        config.fanOut().enabled(),
        new PartRoom(budget, config.pool().maxConnections() / 2),
        timeline);
  }

  FanOuts(FanOutLimits limits, boolean enabled, PartRoom room, Timeline timeline) {
    this.limits = limits;
    this.enabled = enabled;
    this.planner = new RangePlanner(limits);
    this.room = room;
    this.timeline = timeline;
  }

  /** Whether a body of this length may be read over several connections. */
  boolean concern(long length) {
    return enabled && length >= limits.minRemaining();
  }

  /**
   * The store's latency as of now, in nanoseconds: the shortest of late, because a time that was
   * measured may have a connection to be made in it. Slowly follows a store that becomes slower.
   *
   * @param measured from a request to the head of its answer
   */
  long latency(long measured) {
    latency = latency == 0 ? measured : Math.min(measured, latency + latency / 8 + 1);
    return latency;
  }

  RangePlanner planner() {
    return planner;
  }

  PartRoom room() {
    return room;
  }

  Timeline timeline() {
    return timeline;
  }

  long minPart() {
    return limits.minPart();
  }
}
