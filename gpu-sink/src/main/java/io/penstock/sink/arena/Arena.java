package io.penstock.sink.arena;

/**
 * A fixed amount of memory of one kind, leased in regions. All of it is allocated when the arena is
 * opened, so that no lease has to wait for the system, and a budget is one number.
 *
 * <p>Threading: any thread may lease, and any thread may close a region.
 *
 * <p>Ownership: whoever holds a region closes it exactly once. Closing the arena takes no memory
 * from under a holder: it reports what is still held, and the memory goes with the last region.
 */
public interface Arena extends AutoCloseable {
  /** Where the memory lies. */
  ArenaKind kind();

  /** Which device reads it at the addresses of its regions. */
  Place place();

  /** Bytes of the whole arena. */
  long capacity();

  /** Bytes that are leased now, rounded up to the alignment of each region. */
  long used();

  /**
   * A region of exactly {@code bytes}, which may be none, at a multiple of {@value
   * io.penstock.arrow.memory.BlockSource#ALIGNMENT}. Its content is undefined until written.
   *
   * @throws io.penstock.arrow.memory.BlockExhaustedException if there is no such room now
   * @throws ArenaException {@code CLOSED} after {@link #close}
   */
  Region allocate(long bytes);

  /**
   * Gives the memory back to the system; a second call does nothing.
   *
   * @throws ArenaException {@code LEAKED} if regions are held: then the memory is given back when
   *     the last of them is closed
   */
  @Override
  void close();
}
