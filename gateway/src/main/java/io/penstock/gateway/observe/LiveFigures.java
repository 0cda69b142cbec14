package io.penstock.gateway.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Sums over all label values of a meter, for a page that people look at. Meters are named as they
 * are declared; one that has not counted yet is zero.
 *
 * <p>Threading: safe from every thread.
 */
public final class LiveFigures {
  private final MeterRegistry registry;

  LiveFigures(MeterRegistry registry) {
    this.registry = registry;
  }

  /** One step of a histogram: how many took at most so many seconds. Infinite for the last. */
  public record Step(double seconds, double count) {}

  /** The sum of a counter, a gauge, or of how often a timer was used. */
  public double sum(String name) {
    return sum(name, "", _ -> true);
  }

  /** The same over those series whose label has such a value. */
  public double sum(String name, String label, Predicate<String> value) {
    double sum = 0;
    for (Meter meter : registry.find(name).meters()) {
      String tag = label.isEmpty() ? "" : meter.getId().getTag(label);
      if (tag != null && value.test(tag)) {
        sum += value(meter);
      }
    }
    return sum;
  }

  private static double value(Meter meter) {
    return switch (meter) {
      case Counter counter -> counter.count();
      case Timer timer -> timer.count();
      case Gauge gauge -> gauge.value();
      default -> 0;
    };
  }

  /** The steps of a timer's histogram over all its series, rising; empty before the first. */
  public List<Step> steps(String name) {
    SortedMap<Double, Double> steps = new TreeMap<>();
    double total = 0;
    for (Timer timer : registry.find(name).timers()) {
      for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
        steps.merge(bucket.bucket(TimeUnit.SECONDS), bucket.count(), Double::sum);
      }
      total += timer.count();
    }
    List<Step> rising = new ArrayList<>();
    steps.forEach((bound, count) -> rising.add(new Step(bound, count)));
    if (!rising.isEmpty()) {
      rising.add(new Step(Double.POSITIVE_INFINITY, total));
    }
    return rising;
  }
}
