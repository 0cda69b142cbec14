package io.penstock.sink.cli;

import io.penstock.sink.client.StreamTap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A stream in a file, byte for byte as it came. The file has its name only when it is whole: until
 * then it is a hidden one beside it, which goes when the process does.
 *
 * <p>Threading: the thread that reads the stream.
 */
final class StreamFile implements StreamTap, AutoCloseable {
  private final Path target;
  private final Path partial;
  private final FileChannel channel;
  private final Thread onExit;
  private long kept;

  private StreamFile(Path target, Path partial, FileChannel channel) {
    this.target = target;
    this.partial = partial;
    this.channel = channel;
    this.onExit = new Thread(() -> delete(partial));
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /** Begins a file that will replace {@code target}. */
  static StreamFile create(Path target) throws IOException {
    Path whole = target.toAbsolutePath();
    Path partial =
        whole.resolveSibling(
            "." + whole.getFileName() + ".partial-" + ProcessHandle.current().pid());
    return new StreamFile(
        whole,
        partial,
        FileChannel.open(
            partial,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE));
  }

  @Override
  public void received(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void keep() {
    try {
      kept = channel.position();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target, e);
    }
  }

  @Override
  public void drop() {
    try {
      channel.truncate(kept);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target, e);
    }
  }

  /** Gives the file its name. */
  void finish() throws IOException {
    channel.force(true);
    channel.close();
    Files.move(
        partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what was not finished. */
  @Override
  public void close() throws IOException {
    channel.close();
    delete(partial);
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // the process is ending, and the hook does the same
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      System.err.println("penstock batch: cannot remove " + file + ": " + e.getMessage());
    }
  }
}
