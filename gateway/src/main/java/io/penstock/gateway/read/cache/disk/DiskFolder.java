package io.penstock.gateway.read.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The files, one a block. A file appears under its name only when it is complete; what a broken
 * process leaves behind has another name and is deleted at the next {@link #scan}. Nothing is
 * forced to the disk: after a loss of power a damaged file is told by its checksum.
 *
 * <p>Threading: {@link #write} and {@link #scan} on one thread, the rest on any; all block.
 */
final class DiskFolder implements AutoCloseable {
  /** Everything lies in a folder of its own, so that no file of others is ever touched. */
  private static final String OWN = "penstock-blocks-1";

  private static final String UNFINISHED = ".part";
  private static final int FOLDERS = 256;
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> WRITE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  private static final Set<OpenOption> LOCK =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);
  private static final FileAttribute<?> FOR_US =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<?> FILE_FOR_US =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path root;
  private final FileChannel lock;

  /** What became of a read. */
  enum Outcome {
    WHOLE,
    GONE,
    CORRUPT
  }

  /** A file that is there. */
  record Found(FileId id, long bytes, long modifiedMillis) {}

  private DiskFolder(Path root, FileChannel lock) {
    this.root = root;
    this.lock = lock;
  }

  /**
   * Makes the folder if there is none.
   *
   * @throws IOException with a message for the user if it cannot be used
   */
  static DiskFolder open(Path path) throws IOException {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path, FOR_US);
      }
      Path root = path.resolve(OWN);
      if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(root, FOR_US);
      }
      FileChannel lock = lock(path, root);
      try {
        checkOwner(root);
        for (int i = 0; i < FOLDERS; i++) {
          Files.createDirectories(root.resolve("%02x".formatted(i)), FOR_US);
        }
        return new DiskFolder(root, lock);
      } catch (IOException e) {
        lock.close();
        throw e;
      }
    } catch (Unusable e) {
      throw e;
    } catch (IOException e) {
      throw new Unusable(path, "is not a folder that can be written (" + e + ")", e);
    }
  }

  private static FileChannel lock(Path path, Path root) throws IOException {
    FileChannel channel = FileChannel.open(root.resolve("lock"), LOCK, FILE_FOR_US);
    try {
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException here) {
      // by a gateway in this process
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new Unusable(path, "is in use by another gateway; give each a folder of its own", null);
  }

  /** Whoever can write here could put bytes of their own in the place of an object's. */
  private static void checkOwner(Path root) throws IOException {
    PosixFileAttributes folder =
        Files.readAttributes(root, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    PosixFileAttributes mine =
        Files.readAttributes(
            root.resolve("lock"), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    boolean open =
        folder.permissions().contains(PosixFilePermission.GROUP_WRITE)
            || folder.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    if (open || !folder.owner().equals(mine.owner())) {
      throw new Unusable(
          root, "can be written by others; delete it, or make it yours with mode 700", null);
    }
  }

  /** Every block's file, oldest first; deletes everything else that lies among them. */
  List<Found> scan() throws IOException {
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < FOLDERS; i++) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(root.resolve("%02x".formatted(i)))) {
        for (Path file : files) {
          look(file).ifPresent(found::add);
        }
      } catch (NoSuchFileException | NotDirectoryException gone) {
        throw new Unusable(root, "has lost a folder while it was read", gone);
      }
    }
    found.sort(Comparator.comparingLong(Found::modifiedMillis));
    return found;
  }

  private Optional<Found> look(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Optional<FileId> id =
        attributes.isRegularFile()
            ? FileId.of(String.valueOf(file.getFileName()))
            : Optional.empty();
    if (id.filter(it -> path(it).equals(file)).isEmpty()) {
      if (!attributes.isDirectory()) {
        Files.deleteIfExists(file);
      }
      return Optional.empty();
    }
    return Optional.of(
        new Found(id.get(), attributes.size(), attributes.lastModifiedTime().toMillis()));
  }

  /** Writes a block; when this returns the file is there, when it throws it is not. */
  void write(DiskVersion version, int block, ByteBuffer data) throws IOException {
    Path file = path(version.file(block));
    Path part = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.deleteIfExists(part);
    try {
      byte[] header = RecordHeader.of(version, block, data.remaining(), checksum(data));
      try (FileChannel out = FileChannel.open(part, WRITE, FILE_FOR_US)) {
        writeFully(out, ByteBuffer.wrap(header));
        writeFully(out, data.duplicate());
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(part);
      throw e;
    }
  }

  /** Fills {@code data} with the block, if its file holds exactly that. */
  Outcome read(DiskVersion version, int block, ByteBuffer data) throws IOException {
    byte[] header = new byte[RecordHeader.length(version)];
    int bytes = data.remaining();
    try (FileChannel in = FileChannel.open(path(version.file(block)), READ)) {
      if (in.size() != (long) header.length + bytes
          || !readFully(in, ByteBuffer.wrap(header))
          || !RecordHeader.matches(header, version, block, bytes)
          || !readFully(in, data.duplicate())) {
        return Outcome.CORRUPT;
      }
      return checksum(data) == RecordHeader.checksum(header) ? Outcome.WHOLE : Outcome.CORRUPT;
    } catch (NoSuchFileException gone) {
      return Outcome.GONE;
    }
  }

  void delete(FileId id) throws IOException {
    Files.deleteIfExists(path(id));
  }

  private Path path(FileId id) {
    return root.resolve(id.folder()).resolve(id.fileName());
  }

  private static int checksum(ByteBuffer data) {
    CRC32C sum = new CRC32C();
    sum.update(data.duplicate());
    return (int) sum.getValue();
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private static boolean readFully(FileChannel in, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (in.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
