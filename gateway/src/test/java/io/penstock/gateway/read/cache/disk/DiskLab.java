package io.penstock.gateway.read.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A tier on a folder that a test may open again, and what it has counted. */
final class DiskLab implements AutoCloseable, DiskObserver {
  static final int BLOCK = 4096;

  private final Path path;
  private final DiskTier tier;
  final AtomicInteger corrupt = new AtomicInteger();
  final AtomicInteger written = new AtomicInteger();
  final AtomicInteger dropped = new AtomicInteger();

  DiskLab(Path path, long size) throws Exception {
    this.path = path;
    this.tier = DiskTier.open(path, size, this);
  }

  DiskTier tier() {
    return tier;
  }

  static DiskVersion version(String key, String etag, long length) {
    return new DiskVersion(new DiskName("bkt", key, ""), etag, "then", length, BLOCK);
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes a block and waits until that is done. */
  void write(DiskVersion version, int block, byte[] bytes) throws Exception {
    ByteBuf buffer = Unpooled.directBuffer(bytes.length, bytes.length).writeBytes(bytes);
    tier.keep(version, block, buffer);
    for (int i = 0; buffer.refCnt() > 0; i++) {
      if (i > 10_000) {
        throw new AssertionError("a block was neither written nor dropped");
      }
      Thread.sleep(1);
    }
  }

  /** What the tier has of a block, as a reader gets it. */
  Optional<byte[]> read(DiskVersion version, int block, int length) throws Exception {
    CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
    boolean begun =
        tier.submit(
            () -> {
              ByteBuf into = Unpooled.directBuffer(length, length);
              try {
                boolean whole = tier.read(version, block, into);
                byte[] bytes = new byte[length];
                into.getBytes(0, bytes);
                answer.complete(whole ? Optional.of(bytes) : Optional.empty());
              } finally {
                into.release();
              }
            });
    return begun ? answer.get() : Optional.empty();
  }

  /** Waits until what was in the folder has been found. */
  void await(int files) throws Exception {
    for (int i = 0; tier.files() != files; i++) {
      if (i > 10_000) {
        throw new AssertionError("there are " + tier.files() + " files, not " + files);
      }
      Thread.sleep(1);
    }
  }

  List<Path> files() {
    return files(path);
  }

  static List<Path> files(Path path) {
    try (Stream<Path> found = Files.walk(path)) {
      return found
          .filter(file -> Files.isRegularFile(file) && !file.endsWith("lock"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void corrupt() {
    corrupt.incrementAndGet();
  }

  @Override
  public void written(long bytes) {
    written.incrementAndGet();
  }

  @Override
  public void dropped(long bytes) {
    dropped.incrementAndGet();
  }

  @Override
  public void close() {
    tier.close();
  }
}
