package io.penstock.gateway.observe.catalogue;

import java.util.List;

/**
 * One metric as Prometheus sees it.
 *
 * @param name without the suffixes {@code _bucket}, {@code _count}, {@code _sum} of a histogram
 * @param type {@code counter}, {@code gauge} or {@code histogram}
 * @param labels sorted
 * @param always whether a gateway that has just started has it; the others come with the first
 *     event that they count
 */
record MetricFamily(String name, String type, String help, List<String> labels, boolean always) {
  MetricFamily {
    labels = List.copyOf(labels);
  }
}
