package io.penstock.arrow.ipc;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A column of text (Arrow's {@code utf8}) in the making, a few bytes a row, on the heap.
 *
 * <p>Threading: one thread.
 */
public final class Utf8Column {
  private final Bitmap validity = new Bitmap();
  private final GrowingBytes offsets = new GrowingBytes();
  private final GrowingBytes text = new GrowingBytes();

  public Utf8Column() {
    offsets.room(Integer.BYTES).putInt(0);
  }

  /** Adds a row with text. */
  public void add(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    text.room(bytes.length).put(bytes);
    next(true);
  }

  /** Adds a null. */
  public void addNull() {
    next(false);
  }

  /** Adds text, or a null where there is none. */
  public void add(Optional<String> value) {
    value.ifPresentOrElse(this::add, this::addNull);
  }

  private void next(boolean valid) {
    validity.add(valid);
    offsets.room(Integer.BYTES).putInt(text.length());
  }

  /** The column as it is now. */
  public ColumnBody body() {
    return new ColumnBody(
        List.of(new ColumnBody.Node(validity.length(), validity.nulls())),
        List.of(validity.buffer(), offsets.buffer(), text.buffer()));
  }
}
