package io.penstock.dpu.platform;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Numbers of processors, ascending, without repetition, at least one.
 *
 * @param cpus the kernel's numbers, which may have gaps
 */
public record CpuSet(List<Integer> cpus) {
  // above every Linux build's NR_CPUS; guards against nonsense like 0-999999999
  private static final int MOST = 8192;

  public CpuSet {
    cpus = List.copyOf(new TreeSet<>(cpus));
    if (cpus.isEmpty() || cpus.getFirst() < 0 || cpus.getLast() >= MOST) {
      throw new IllegalArgumentException("not a set of processors: " + cpus);
    }
  }

  /** The first {@code count} processors. */
  public static CpuSet first(int count) {
    return new CpuSet(IntStream.range(0, count).boxed().toList());
  }

  /** Reads the kernel's list format, {@code 0-3,8,10-11}; empty if the text is anything else. */
  public static Optional<CpuSet> parse(String list) {
    TreeSet<Integer> cpus = new TreeSet<>();
    try {
      for (String part : list.strip().split(",", -1)) {
        int dash = part.indexOf('-');
        int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
        if (from < 0 || to < from || to >= MOST) {
          return Optional.empty();
        }
        IntStream.rangeClosed(from, to).forEach(cpus::add);
      }
      return Optional.of(new CpuSet(List.copyOf(cpus)));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  public int size() {
    return cpus.size();
  }

  /** The processors in both sets, or this set if there are none. */
  public CpuSet within(CpuSet other) {
    List<Integer> both = cpus.stream().filter(other.cpus::contains).toList();
    return both.isEmpty() ? this : new CpuSet(both);
  }

  @Override
  public String toString() {
    return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
