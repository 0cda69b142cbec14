package io.penstock.loadtest.lab.bed;

import io.penstock.loadtest.lab.plan.Topology.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of one lab's namespaces: the process that made them and when it started, so that a later
 * lab can tell whether their owner is gone, also when its number was given away again.
 *
 * @param pid of the lab's process
 * @param started its field starttime of {@code /proc/PID/stat} (proc(5)), in clock ticks
 */
record LabName(long pid, long started) {
  private static final Pattern FORM =
      Pattern.compile("penstock-lab-(\\d{1,18})-(\\d{1,18})-(host|dpu|store)");
  private static final int START_TIME = 19;

  static LabName ofThisProcess() throws BedException {
    long pid = ProcessHandle.current().pid();
    long started =
        startOf(Path.of("/proc"), pid)
            .orElseThrow(() -> new BedException("cannot read /proc: the lab needs Linux"));
    return new LabName(pid, started);
  }

  /** The lab that a namespace belongs to; empty: it is none of a lab's. */
  static Optional<LabName> of(String namespace) {
    Matcher matcher = FORM.matcher(namespace);
    return matcher.matches()
        ? Optional.of(
            new LabName(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  String namespace(Place place) {
    return "penstock-lab-" + pid + "-" + started + "-" + place.lower();
  }

  /** Whether its process still runs. */
  boolean lives(Path proc) {
    return startOf(proc, pid).filter(start -> start == started).isPresent();
  }

  private static Optional<Long> startOf(Path proc, long pid) {
    try {
      String line = Files.readString(proc.resolve(pid + "/stat"));
      List<String> fields = List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
      return Optional.of(Long.parseLong(fields.get(START_TIME)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
