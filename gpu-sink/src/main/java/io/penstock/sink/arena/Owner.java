package io.penstock.sink.arena;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process, told apart from a later one of the same number: field 22 of {@code /proc/PID/stat} is
 * when it started (proc(5)), and numbers mean nothing in another container's name space.
 *
 * @param pid its number
 * @param started clock ticks from the start of the machine
 * @param namespace which set of process numbers that is: the inode of {@code /proc/self/ns/pid}
 */
record Owner(long pid, long started, long namespace) {
  private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");

  /** Fields after the name, which may hold spaces and brackets itself; the first is field 3. */
  private static final int STARTED = 22 - 3;

  private static final int STATE = 0;

  /** This process, as {@code proc} (normally {@code /proc}) shows it. */
  static Owner self(Path proc) {
    long pid = ProcessHandle.current().pid();
    return new Owner(pid, started(proc, pid).orElse(0L), namespace(proc));
  }

  /** Whether it certainly runs no more; who is in another name space may well be alive. */
  boolean isDead(Path proc) {
    return namespace == namespace(proc) && started(proc, pid).orElse(-1L) != started;
  }

  private static long namespace(Path proc) {
    try {
      String link = Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
      Matcher matcher = NAMESPACE.matcher(link);
      return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Nothing if there is no such process, or only its remains (a zombie holds no memory). */
  private static Optional<Long> started(Path proc, long pid) {
    String stat;
    try {
      stat = Files.readString(proc.resolve(pid + "/stat"));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      if (!Files.exists(proc.resolve(Long.toString(pid)))) {
        return Optional.empty();
      }
      throw new UncheckedIOException("cannot tell whether process " + pid + " runs", e);
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
    return fields[STATE].equals("Z") || fields[STATE].equals("X")
        ? Optional.empty()
        : Optional.of(Long.parseLong(fields[STARTED]));
  }
}
