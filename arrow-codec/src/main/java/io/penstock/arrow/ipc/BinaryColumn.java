package io.penstock.arrow.ipc;

import java.util.ArrayList;
import java.util.List;

/**
 * A column of payloads (Arrow's {@code large_binary}) in the making. The bytes of a row stay in the
 * buffers they came in.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of every part added, until {@link #body()} hands them over or {@link #release()}.
 */
public final class BinaryColumn {
  private final Bitmap validity = new Bitmap();
  private final GrowingBytes offsets = new GrowingBytes();
  private List<BodyPart> parts = new ArrayList<>();
  private long bytes;

  public BinaryColumn() {
    offsets.room(Long.BYTES).putLong(0);
  }

  /** Adds a row whose bytes are those of {@code payload}, in order; none make an empty value. */
  public void add(List<? extends BodyPart> payload) {
    for (BodyPart part : payload) {
      bytes += part.bytes();
    }
    parts.addAll(payload);
    next(true);
  }

  /** Adds a null. */
  public void addNull() {
    next(false);
  }

  private void next(boolean valid) {
    validity.add(valid);
    offsets.room(Long.BYTES).putLong(bytes);
  }

  /** Payload bytes so far. */
  public long bytes() {
    return bytes;
  }

  /** The column; its parts belong to it now, and this object is empty of them. */
  public ColumnBody body() {
    List<BodyPart> taken = parts;
    parts = new ArrayList<>();
    return new ColumnBody(
        List.of(new ColumnBody.Node(validity.length(), validity.nulls())),
        List.of(validity.buffer(), offsets.buffer(), new BodyBuffer(taken)));
  }

  /** Releases the parts that were not handed over. */
  public void release() {
    parts.forEach(BodyPart::release);
    parts = new ArrayList<>();
  }
}
