package io.penstock.gateway.observe.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Every metric of the gateway, read from what it tells Prometheus.
 *
 * <p>Threading: immutable.
 */
public final class Catalogue {
  private static final String OURS = "penstock_";
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern NAMES =
      Pattern.compile("\\b(?:penstock|process|jvm|system)_[a-z0-9_]+");

  private final SortedMap<String, MetricFamily> families;

  private Catalogue(SortedMap<String, MetricFamily> families) {
    this.families = families;
  }

  /**
   * Reads two scrapes.
   *
   * @param fresh of a gateway that has just started
   * @param rehearsed of meters that have counted everything once
   */
  public static Catalogue of(String fresh, String rehearsed) {
    SortedMap<String, MetricFamily> families = new TreeMap<>();
    read(rehearsed, false).forEach(it -> families.put(it.name(), it));
    read(fresh, true).forEach(it -> families.put(it.name(), it));
    return new Catalogue(families);
  }

  private static List<MetricFamily> read(String scrape, boolean always) {
    Map<String, String> help = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    Map<String, SortedSet<String>> labels = new TreeMap<>();
    for (String line : scrape.split("\n", -1)) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        help.put(words[2], words[3]);
      } else if (line.startsWith("# TYPE ")) {
        types.put(words[2], words[3]);
      } else if (!line.startsWith("#") && !line.isBlank()) {
        labels.computeIfAbsent(family(line, types), _ -> new TreeSet<>()).addAll(labels(line));
      }
    }
    List<MetricFamily> families = new ArrayList<>();
    types.forEach(
        (name, type) ->
            families.add(
                new MetricFamily(
                    name,
                    type,
                    help.getOrDefault(name, ""),
                    List.copyOf(labels.getOrDefault(name, new TreeSet<>())),
                    always)));
    return families;
  }

  private static String family(String sample, Map<String, String> types) {
    String name = sample.split("[{ ]", 2)[0];
    String base = name.replaceFirst("_(bucket|count|sum)$", "");
    return types.containsKey(name) ? name : base;
  }

  private static SortedSet<String> labels(String sample) {
    SortedSet<String> labels = new TreeSet<>();
    int brace = sample.indexOf('{');
    if (brace >= 0) {
      Matcher label = LABEL.matcher(sample.substring(brace, sample.lastIndexOf('}') + 1));
      while (label.find()) {
        labels.add(label.group(1));
      }
    }
    labels.remove("le");
    return labels;
  }

  /** The metrics that this project declares, by name; not those of the JVM. */
  List<MetricFamily> ours() {
    return families.values().stream().filter(it -> it.name().startsWith(OURS)).toList();
  }

  /**
   * The metrics that an expression in Prometheus' language reads.
   *
   * @throws IllegalArgumentException if it names one that is not declared
   */
  List<MetricFamily> readBy(String expression) {
    List<MetricFamily> found = new ArrayList<>();
    for (String name : names(expression)) {
      MetricFamily exact = families.get(name);
      MetricFamily histogram = families.get(name.replaceFirst("_(bucket|count|sum)$", ""));
      if (exact != null) {
        found.add(exact);
      } else if (histogram != null && histogram.type().equals("histogram")) {
        found.add(histogram);
      } else {
        throw new IllegalArgumentException("no meter is declared as " + name + ": " + expression);
      }
    }
    return found;
  }

  /** The names of metrics in an expression, as they are in a scrape. */
  public static List<String> names(String expression) {
    return NAMES.matcher(expression).results().map(it -> it.group()).distinct().toList();
  }
}
