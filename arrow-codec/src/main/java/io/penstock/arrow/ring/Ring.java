package io.penstock.arrow.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A ring in the hands of the process that created it. It ends with this process or with {@link
 * #close}, whichever comes first, for everybody who has it open.
 *
 * <p>Threading: any thread, but {@link #close} is the last call.
 *
 * <p>Ownership: of the file and its memory.
 */
public final class Ring implements AutoCloseable {
  private final String name;
  private final Path path;
  private final RingMemory memory;
  private final RingHost host;
  private boolean closed;

  Ring(String name, Path path, RingMemory memory, RingHost host) {
    this.name = name;
    this.path = path;
    this.memory = memory;
    this.host = host;
  }

  /**
   * What has passed so far.
   *
   * @param bytes written, padding included
   * @param unread bytes that the slowest consumer has not released
   * @param consumers that read now
   * @param awaited whether fewer have joined than were announced
   * @param over whether the stream has come to an end, a good one or a bad one
   */
  public record Progress(
      long batches, long bytes, long unread, int consumers, boolean awaited, boolean over) {}

  public String name() {
    return name;
  }

  public Path path() {
    return path;
  }

  public long capacity() {
    return memory.capacity();
  }

  /** What has passed until now. */
  public Progress progress() {
    long head = memory.get(RingLayout.OF_HEAD);
    Readers readers = new Readers(memory, host);
    long oldest = readers.oldest().orElse(memory.get(RingLayout.OF_TAIL));
    return new Progress(
        memory.get(RingLayout.OF_BATCHES),
        head,
        Math.max(0, head - oldest),
        readers.count(),
        readers.areMissing(),
        memory.word(RingLayout.OF_STATE) >= RingLayout.OVER);
  }

  /** Ends the ring: its name is free, whoever reads sees what was written and then an error. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    memory.word(RingLayout.OF_CLOSED, 1);
    memory.signal(RingLayout.OF_PUBLISHED, host.waits());
    memory.signal(RingLayout.OF_RELEASED, host.waits());
    memory.close();
    Files.deleteIfExists(path);
  }
}
