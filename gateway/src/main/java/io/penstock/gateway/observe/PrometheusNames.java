package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/**
 * Brings the two meters of Micrometer's processor binder that offend against Prometheus' naming
 * rules into line: a gauge whose name ends in {@code count}, and the CPU time in nanoseconds, which
 * {@link Meters} offers in seconds.
 *
 * <p>Threading: stateless.
 */
final class PrometheusNames implements MeterFilter {

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return id.getName().equals("process.cpu.time")
        ? MeterFilterReply.DENY
        : MeterFilterReply.NEUTRAL;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    return id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
  }
}
