package io.penstock.arrow.ring;

import io.penstock.arrow.ring.RingException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder of rings, only for the user who runs these processes. Rings are created by the sink,
 * which owns them; gateways open them to write, trainers to read.
 *
 * <p>Threading: any thread. Every call touches files: not for event loops.
 */
public final class RingDirectory {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern UNFINISHED = Pattern.compile("\\.(\\d+)-(\\d+)-.*\\.new");
  private static final String SUFFIX = ".ring";

  // a process loses its lock on a file with the first descriptor that it closes: one at a time
  private static final Object ONE_AT_A_TIME = new Object();

  private final Path folder;
  private final RingHost host;

  public RingDirectory(Path folder, RingHost host) {
    this.folder = folder;
    this.host = host;
  }

  /** {@code /dev/shm/penstock-UID}. */
  public static Path standard() {
    try {
      return Path.of("/dev/shm/penstock-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException e) {
      throw new IllegalStateException("/proc is not mounted: rings need it", e);
    }
  }

  public Path folder() {
    return folder;
  }

  /** Whether a ring may be called so: letters, digits, {@code . _ -}, at most 64, no dot first. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Creates a ring, its memory taken at once: a full file system shows here and not as a signal
   * later.
   *
   * @param capacity bytes of records, rounded up to 4 KiB; twice the largest batch at least
   * @param consumers how many will join before anything is overwritten, 0 for none
   */
  public Ring create(String name, long capacity, int consumers) throws IOException {
    Path path = path(name);
    if (capacity < 4096 || capacity > 1L << 40 || consumers < 0 || consumers > RingLayout.SLOTS) {
      throw new RingException(
          Reason.INVALID,
          "a ring has 4 KiB to 1 TiB and up to %d consumers".formatted(RingLayout.SLOTS));
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    sweep();
    synchronized (ONE_AT_A_TIME) {
      ProcessTable.Identity self = host.self();
      Path unfinished = folder.resolve(".%d-%d-%s.new".formatted(self.pid(), self.started(), name));
      try (FileChannel file = NewFile.open(unfinished)) {
        NewFile.fill(file, (capacity + 4095) & -4096, consumers, host);
        RingMemory memory = RingMemory.map(file);
        boolean linked = false;
        try {
          Files.createLink(path, unfinished);
          linked = true;
        } catch (FileAlreadyExistsException e) {
          throw new RingException(
              Reason.BUSY,
              "a living process owns the ring %s: choose another name".formatted(name),
              e);
        } finally {
          if (!linked) {
            memory.close();
          }
        }
        return new Ring(name, path, memory, host);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    }
  }

  /**
   * Opens a ring to write a stream into it, or to go on where a producer has died.
   *
   * @param deadline how long a consumer may hold up the producer before it is cut off
   */
  public RingWriter write(String name, Duration deadline) throws IOException {
    return locked(name, memory -> RingWriter.attach(memory, host, deadline));
  }

  /** Opens a ring to read it; the slot is taken when this returns. */
  public RingReader read(String name) throws IOException {
    return locked(name, memory -> RingReader.join(memory, host));
  }

  private interface Opening<T> {
    T open(RingMemory memory) throws IOException;
  }

  private <T> T locked(String name, Opening<T> opening) throws IOException {
    Path path = path(name);
    synchronized (ONE_AT_A_TIME) {
      try (FileChannel file =
              FileChannel.open(
                  path,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS);
          var _ = file.lock()) {
        RingMemory memory = RingMemory.map(file);
        boolean opened = false;
        try {
          T result = opening.open(memory);
          opened = true;
          return result;
        } finally {
          if (!opened) {
            memory.close();
          }
        }
      } catch (NoSuchFileException e) {
        throw new RingException(
            Reason.MISSING,
            "no ring %s in %s: start the sink that creates it first".formatted(name, folder),
            e);
      }
    }
  }

  /**
   * Removes what dead processes left. Who still has such a ring mapped keeps its memory.
   *
   * @return how many files
   */
  public int sweep() throws IOException {
    int removed = 0;
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return removed;
    }
    synchronized (ONE_AT_A_TIME) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          if (isLeft(file) && Files.deleteIfExists(file)) {
            removed++;
          }
        }
      }
    }
    return removed;
  }

  private boolean isLeft(Path file) {
    String name = String.valueOf(file.getFileName());
    Matcher unfinished = UNFINISHED.matcher(name);
    if (unfinished.matches()) {
      return !host.lives(
          new ProcessTable.Identity(
              Long.parseLong(unfinished.group(1)), Long.parseLong(unfinished.group(2))));
    }
    if (!name.endsWith(SUFFIX)) {
      return false;
    }
    try (FileChannel channel =
            FileChannel.open(
                file,
                Set.of(
                    StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        RingMemory memory = RingMemory.map(channel)) {
      return !host.lives(memory.process(RingLayout.OF_OWNER));
    } catch (IOException e) {
      // not ours to judge: another version, another namespace, another user
      return false;
    }
  }

  private Path path(String name) throws RingException {
    if (!isName(name)) {
      throw new RingException(
          Reason.INVALID,
          "a ring is called by letters, digits, '.', '_' and '-', at most 64, and begins with a"
              + " letter or a digit");
    }
    return folder.resolve(name + SUFFIX);
  }
}
