package io.penstock.gateway.read.cache.disk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which files there are. The oldest goes first, but one that was read since its last turn gets
 * another. Takes about 150 bytes of heap a file, so their number is limited as well as their size.
 *
 * <p>Threading: any thread; one short lock.
 */
final class DiskIndex {
  private static final int SECTOR = 4096;

  private final long mostBytes;
  private final int mostFiles;
  private final TreeMap<FileId, Kept> files = new TreeMap<>();
  private final ArrayDeque<Kept> byAge = new ArrayDeque<>();
  private long bytes;

  private static final class Kept {
    private final FileId id;
    private final long bytes;
    private boolean used;
    private boolean gone;

    Kept(FileId id, long bytes) {
      this.id = id;
      this.bytes = bytes;
    }
  }

  DiskIndex(long mostBytes, int mostFiles) {
    this.mostBytes = mostBytes;
    this.mostFiles = mostFiles;
  }

  synchronized boolean has(FileId id) {
    return files.containsKey(id);
  }

  /** Whether any version of the object has a file of this block. */
  synchronized boolean hasBlock(FileId least, int block) {
    FileId next = files.ceilingKey(least);
    while (next != null && next.isOfSameObject(least)) {
      if (files.containsKey(next.withBlock(block))) {
        return true;
      }
      next = files.higherKey(next.withBlock(Integer.MAX_VALUE));
    }
    return false;
  }

  /** Whether there is any file of the object. */
  synchronized boolean hasObject(FileId least) {
    FileId next = files.ceilingKey(least);
    return next != null && next.isOfSameObject(least);
  }

  synchronized void use(FileId id) {
    Kept kept = files.get(id);
    if (kept != null) {
      kept.used = true;
    }
  }

  /** Files to delete before one of {@code length} bytes is written; empty if it cannot be. */
  synchronized Optional<List<FileId>> makeRoom(long length) {
    long needed = onDisk(length);
    if (needed > mostBytes) {
      return Optional.empty();
    }
    List<FileId> leaving = new ArrayList<>();
    while (bytes + needed > mostBytes || files.size() >= mostFiles) {
      Kept oldest = byAge.pollFirst();
      if (oldest == null) {
        break;
      }
      if (oldest.gone) {
        continue;
      }
      if (oldest.used) {
        oldest.used = false;
        byAge.addLast(oldest);
        continue;
      }
      remove(oldest.id);
      leaving.add(oldest.id);
    }
    return Optional.of(leaving);
  }

  /** The file is there from now on. */
  synchronized void add(FileId id, long length) {
    if (files.containsKey(id)) {
      return;
    }
    Kept kept = new Kept(id, onDisk(length));
    files.put(id, kept);
    byAge.addLast(kept);
    bytes += kept.bytes;
    if (byAge.size() > 2 * files.size() + SECTOR) {
      byAge.removeIf(old -> old.gone);
    }
  }

  synchronized void remove(FileId id) {
    Kept kept = files.remove(id);
    if (kept != null) {
      kept.gone = true;
      bytes -= kept.bytes;
    }
  }

  /** Forgets every version of the object and says what its files were. */
  synchronized List<FileId> removeObject(FileId least) {
    List<FileId> removed = new ArrayList<>();
    FileId next = files.ceilingKey(least);
    while (next != null && next.isOfSameObject(least)) {
      removed.add(next);
      remove(next);
      next = files.ceilingKey(least);
    }
    return removed;
  }

  /** Bytes that the files take on the disk, about. */
  synchronized long bytes() {
    return bytes;
  }

  synchronized int size() {
    return files.size();
  }

  private static long onDisk(long length) {
    return (length + SECTOR - 1) / SECTOR * SECTOR;
  }
}
