package io.penstock.loadtest.lab.plan;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One way to read the same things. Variants of one {@code family} differ only in how they are
 * tuned; the family's best stands for it in the verdicts.
 *
 * @param name in tables
 * @param family what is compared
 * @param program who reads
 * @param route whom it asks
 * @param gateways how many gateways run
 * @param orders {@code --NAME VALUE} for the program
 */
public record Variant(
    String name,
    String family,
    Program program,
    Route route,
    int gateways,
    Map<String, String> orders) {

  public Variant {
    orders = Map.copyOf(orders);
  }

  /** What runs in the host's namespace. */
  public enum Program {
    /** {@code loadtest lab-read}. */
    READER,
    /** {@code loadtest/lab/epoch.py}. */
    EPOCH;

    /** Its orders for a run that does not count. */
    public Map<String, String> settling() {
      return switch (this) {
        case READER -> Map.of("warmup", "8s", "window", "4s");
        case EPOCH -> Map.of("items", "512");
      };
    }
  }

  /** Whom a consumer asks. */
  public enum Route {
    STORE,
    GATEWAY
  }

  /** A variant that stands for a family of its own. */
  public static Variant alone(String name, Program program, Route route, String mode) {
    return new Variant(name, name, program, route, 1, Map.of("mode", mode));
  }

  /** This one with another name, tuned differently. */
  public Variant tuned(String suffix, String order, String value) {
    Map<String, String> all = new LinkedHashMap<>(orders);
    all.put(order, value);
    return new Variant(name + suffix, family, program, route, gateways, all);
  }

  /** This one with so many gateways. */
  public Variant over(int count) {
    return new Variant(name, family, program, route, count, orders);
  }
}
