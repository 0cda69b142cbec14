package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The CPU time of a process and all that it started, from {@code /proc/PID/stat} (proc(5), fields
 * utime and stime).
 *
 * <p>Threading: any.
 */
public final class ProcessCpu {
  // USER_HZ: 100 on every Linux that runs a JVM
  private static final double TICKS_PER_SECOND = 100;
  private static final int PARENT = 1;
  private static final int USER = 11;
  private static final int SYSTEM = 12;

  private final Path proc;

  /** {@code proc} is where the proc file system is mounted. */
  public ProcessCpu(Path proc) {
    this.proc = proc;
  }

  /** CPU seconds so far of {@code pid} and its living descendants. */
  public double seconds(long pid) {
    double sum = 0;
    for (long one : tree(pid)) {
      List<String> fields = stat(one);
      if (!fields.isEmpty()) {
        sum += ticks(fields);
      }
    }
    return sum / TICKS_PER_SECOND;
  }

  /** CPU seconds so far of {@code pid} alone. */
  double ownSeconds(long pid) {
    List<String> fields = stat(pid);
    return fields.isEmpty() ? 0 : ticks(fields) / TICKS_PER_SECOND;
  }

  private static double ticks(List<String> fields) {
    return (double) Long.parseLong(fields.get(USER)) + Long.parseLong(fields.get(SYSTEM));
  }

  private List<Long> tree(long root) {
    List<Long> tree = new ArrayList<>(List.of(root));
    List<Long> all = pids();
    for (int i = 0; i < tree.size(); i++) {
      String parent = Long.toString(tree.get(i));
      for (long pid : all) {
        List<String> fields = stat(pid);
        if (!fields.isEmpty() && fields.get(PARENT).equals(parent)) {
          tree.add(pid);
        }
      }
    }
    return tree;
  }

  private List<Long> pids() {
    try (var entries = Files.list(proc)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.chars().allMatch(Character::isDigit))
          .map(Long::parseLong)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot list " + proc + ": this bench needs Linux", e);
    }
  }

  /** The fields behind the command's name, which may itself hold spaces; empty: it has ended. */
  private List<String> stat(long pid) {
    try {
      String line = Files.readString(proc.resolve(pid + "/stat"));
      return List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    } catch (IOException e) {
      return List.of();
    }
  }
}
