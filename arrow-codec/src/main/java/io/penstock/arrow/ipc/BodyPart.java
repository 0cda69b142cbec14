package io.penstock.arrow.ipc;

import java.nio.ByteBuffer;

/**
 * Bytes that lie somewhere and go to the wire as they are: a received buffer, a piece of a block, a
 * few bytes of metadata.
 *
 * <p>Threading: handed from one thread to the next, never used by two at once.
 *
 * <p>Ownership: whoever holds a part releases it exactly once; its bytes do not change before.
 */
public interface BodyPart {
  /** How many bytes, at most 2^31 - 1. */
  int bytes();

  /**
   * The bytes, position 0, limit {@link #bytes()}. A new view each time: moving its position does
   * not move anybody else's. Not to be used after {@link #release()}.
   */
  ByteBuffer view();

  /** Gives the bytes back to where they came from. */
  void release();
}
