package io.penstock.arrow.ring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which processes live. A process is its number and the time it started (field 22 of {@code
 * /proc/PID/stat}, proc(5)): numbers are given again, the two together are not.
 */
@FunctionalInterface
public interface ProcessTable {
  /** One process of this machine, since it booted. */
  record Identity(long pid, long started) {}

  /** Whether that process is there and not a zombie. */
  boolean lives(Identity process);

  /** This very process. */
  static Identity self() {
    long pid = ProcessHandle.current().pid();
    return Proc.read(pid)
        .map(stat -> new Identity(pid, stat.started()))
        .orElseThrow(() -> new IllegalStateException("/proc is not mounted: rings need it"));
  }

  /** What {@code /proc} says. */
  static ProcessTable proc() {
    return process ->
        Proc.read(process.pid())
            .filter(stat -> stat.started() == process.started() && stat.running())
            .isPresent();
  }

  /** Which numbers mean the same processes: two containers have different ones. */
  static long namespace() {
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return Long.parseLong(link.replaceAll("\\D", ""));
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  /** The two fields of {@code /proc/PID/stat} that matter. */
  record Proc(boolean running, long started) {
    static Optional<Proc> read(long pid) {
      try {
        byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/stat"));
        String stat = new String(bytes, StandardCharsets.ISO_8859_1);
        // a process may have any name, brackets and blanks included
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        boolean running = !fields[0].equals("Z") && !fields[0].equals("X");
        return Optional.of(new Proc(running, Long.parseLong(fields[19])));
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }
}
