package io.penstock.arrow.ipc;

import java.util.List;

/**
 * A piece of the stream that is only of use whole: one message with its body, or an end. Frames are
 * a multiple of 64 bytes long but for the last, and every buffer in them begins at such a multiple,
 * counted from the beginning of the stream.
 *
 * <p>Ownership: whoever holds the frame releases every part of it once.
 */
public record Frame(Kind kind, List<BodyPart> parts) {

  /** What a frame is for. */
  public enum Kind {
    SCHEMA,
    BATCH,
    /** The last frame of a stream that is complete. */
    END,
    /** The last frame of a stream that is not: a message that stops in the middle. */
    FAILURE
  }

  public Frame {
    parts = List.copyOf(parts);
  }

  /** Bytes of all parts. */
  public long bytes() {
    long bytes = 0;
    for (BodyPart part : parts) {
      bytes += part.bytes();
    }
    return bytes;
  }

  /** Releases every part, for a frame that goes nowhere. */
  public void release() {
    parts.forEach(BodyPart::release);
  }
}
