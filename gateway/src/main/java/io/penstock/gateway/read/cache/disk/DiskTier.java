package io.penstock.gateway.read.cache.disk;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks on a local disk, found again after a restart. What is kept here is a bonus: a block that
 * cannot be written is dropped, one that cannot be read is a miss, and a disk that refuses a write
 * (full, read-only, gone) ends the tier with one warning until the gateway is started again.
 *
 * <p>Threading: any thread; files are touched on the tier's own threads only, one that writes and
 * deletes and two that read, each with a bounded queue.
 *
 * <p>Ownership: holds a reference to a block's memory from {@link #keep} until it is written or
 * dropped.
 */
public final class DiskTier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskTier.class);
  private static final int MOST_FILES = 1 << 20;
  private static final int READERS = 2;
  private static final int MOST_READS = 256;
  private static final int MOST_WRITES = 32;

  /** What waits to be written is memory that the budget cannot have back; one block may be more. */
  private static final long MOST_WAITING = 32 << 20;

  private static final long PATIENCE_SECONDS = 5;

  private final DiskFolder folder;
  private final DiskIndex index;
  private final DiskObserver observer;
  private final DiskThreads writer = new DiskThreads("penstock-disk-write", 1, MOST_WRITES);
  private final DiskThreads readers = new DiskThreads("penstock-disk-read", READERS, MOST_READS);
  private final ConcurrentLinkedQueue<FileId> forgotten = new ConcurrentLinkedQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicBoolean up = new AtomicBoolean(true);

  private DiskTier(DiskFolder folder, long size, DiskObserver observer) {
    this.folder = folder;
    this.index = new DiskIndex(size, MOST_FILES);
    this.observer = observer;
  }

  /**
   * Opens the tier; what is in the folder is found in the background.
   *
   * @param size most bytes to take on the disk
   * @throws UncheckedIOException with a message for the user if the folder cannot be used
   */
  public static DiskTier open(Path path, long size, DiskObserver observer) {
    try {
      DiskTier tier = new DiskTier(DiskFolder.open(path), size, observer);
      tier.writer.execute(tier::scan);
      return tier;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private void scan() {
    try {
      for (DiskFolder.Found file : folder.scan()) {
        makeRoom(file.bytes());
        index.add(file.id(), file.bytes());
      }
    } catch (IOException e) {
      end(e);
    }
  }

  /** Whether a block of exactly this version may be here. */
  public boolean holds(DiskVersion version, int block) {
    return up.get() && index.has(version.file(block));
  }

  /**
   * Whether a block of whatever version of the object may be here.
   *
   * @param block the one that is needed, or -1 for any
   */
  public boolean mayHold(DiskName name, int block) {
    if (!up.get()) {
      return false;
    }
    FileId least = name.least();
    return block < 0 ? index.hasObject(least) : index.hasBlock(least, block);
  }

  /**
   * Writes a block, later; drops it if it is here already or too much is waiting.
   *
   * @param bytes the whole buffer up to its capacity; the reference belongs to the tier from now on
   */
  public void keep(DiskVersion version, int block, ByteBuf bytes) {
    if (!up.get() || index.has(version.file(block))) {
      bytes.release();
      return;
    }
    int length = bytes.capacity();
    long before = waiting.getAndAdd(length);
    boolean fits = before == 0 || before + length <= MOST_WAITING;
    if (!fits || !writer.execute(new Write(version, block, bytes))) {
      waiting.addAndGet(-length);
      observer.dropped(length);
      bytes.release();
    }
  }

  /** Runs {@code reads} on a thread that may call {@link #read}; false if too many wait. */
  public boolean submit(Runnable reads) {
    return up.get() && readers.execute(reads);
  }

  /**
   * Fills the whole buffer, up to its capacity, with a block; false if that cannot be had. Blocks:
   * only within {@link #submit}.
   */
  public boolean read(DiskVersion version, int block, ByteBuf into) {
    FileId id = version.file(block);
    DiskFolder.Outcome outcome;
    try {
      outcome = folder.read(version, block, into.nioBuffer(0, into.capacity()));
    } catch (IOException unreadable) {
      outcome = DiskFolder.Outcome.CORRUPT;
    }
    switch (outcome) {
      case WHOLE -> {
        index.use(id);
        observer.read(into.capacity());
        return true;
      }
      case GONE -> {
        index.remove(id);
        observer.missed();
      }
      case CORRUPT -> {
        index.remove(id);
        delete(id);
        observer.corrupt();
      }
    }
    return false;
  }

  /** There was no memory for a block that is here. */
  public void noRoom() {
    observer.missed();
  }

  /** Deletes what is here of an object. */
  public void forget(DiskName name) {
    List<FileId> files = index.removeObject(name.least());
    if (!files.isEmpty()) {
      forgotten.addAll(files);
      // if too much waits, the next write does it
      writer.execute(this::deleteForgotten);
    }
  }

  private void deleteForgotten() {
    for (FileId id = forgotten.poll(); id != null; id = forgotten.poll()) {
      if (!index.has(id)) {
        delete(id);
      }
    }
  }

  private boolean makeRoom(long bytes) {
    Optional<List<FileId>> leaving = index.makeRoom(bytes);
    leaving.ifPresent(files -> files.forEach(this::delete));
    return leaving.isPresent();
  }

  private void delete(FileId id) {
    try {
      folder.delete(id);
    } catch (IOException e) {
      end(e);
    }
  }

  private void end(IOException why) {
    if (up.compareAndSet(true, false)) {
      LOG.warn(
          "cache.disk is off until the next start, as the disk cannot be used: {}", why.toString());
    }
  }

  /** Whether the disk takes what it is given. */
  public boolean isUp() {
    return up.get();
  }

  /** Bytes on the disk. */
  public long bytes() {
    return index.bytes();
  }

  public int files() {
    return index.size();
  }

  /** Writes what is waiting, for a few seconds at most. */
  @Override
  public void close() {
    readers.close();
    writer.close();
    boolean done = false;
    try {
      done = writer.await(PATIENCE_SECONDS) && readers.await(PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    up.set(false);
    if (!done) {
      readers.flush();
      writer.flush();
    }
    try {
      folder.close();
    } catch (IOException e) {
      LOG.debug("closing the lock of cache.disk", e);
    }
  }

  private final class Write implements Runnable {
    private final DiskVersion version;
    private final int block;
    private final ByteBuf bytes;

    Write(DiskVersion version, int block, ByteBuf bytes) {
      this.version = version;
      this.block = block;
      this.bytes = bytes;
    }

    @Override
    public void run() {
      try {
        deleteForgotten();
        write();
      } catch (IOException e) {
        end(e);
      } finally {
        waiting.addAndGet(-bytes.capacity());
        bytes.release();
      }
    }

    private void write() throws IOException {
      int length = bytes.capacity();
      long whole = (long) RecordHeader.length(version) + length;
      FileId id = version.file(block);
      if (!up.get() || index.has(id)) {
        return;
      }
      if (!makeRoom(whole)) {
        observer.dropped(length);
        return;
      }
      folder.write(version, block, bytes.nioBuffer(0, length));
      index.add(id, whole);
      observer.written(length);
    }
  }
}
