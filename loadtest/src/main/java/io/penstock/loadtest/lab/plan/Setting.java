package io.penstock.loadtest.lab.plan;

import java.util.Map;

/**
 * What all variants of one comparison have in common.
 *
 * @param name in tables
 * @param latencyMillis the store's time to the first byte
 * @param connectionRate bytes per second of one connection to the store, 0: no limit
 * @param orders {@code --NAME VALUE} for every program
 */
public record Setting(
    String name, int latencyMillis, long connectionRate, Map<String, String> orders) {
  public Setting {
    orders = Map.copyOf(orders);
  }
}
