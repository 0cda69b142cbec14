package io.penstock.arrow.ipc;

import java.util.List;

/**
 * One buffer of Arrow's record batch body: the concatenation of its parts.
 *
 * <p>Ownership: of every part, until {@link #release()} or until a {@link BatchWriter} takes it.
 */
public record BodyBuffer(List<BodyPart> parts) {
  /** A buffer that is not there: the validity bitmap of a column without nulls. */
  public static final BodyBuffer ABSENT = new BodyBuffer(List.of());

  public BodyBuffer {
    parts = List.copyOf(parts);
  }

  /** A buffer of {@code array}'s bytes, which the caller does not change any more. */
  public static BodyBuffer heap(byte[] array) {
    return array.length == 0 ? ABSENT : new BodyBuffer(List.of(new HeapPart(array)));
  }

  /** Bytes of all parts. */
  public long bytes() {
    long bytes = 0;
    for (BodyPart part : parts) {
      bytes += part.bytes();
    }
    return bytes;
  }

  void release() {
    parts.forEach(BodyPart::release);
  }
}
