package io.penstock.arrow.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the dimensions of a sample mean. The letters are those of the whole batch; a sample has no
 * {@code N}, so the shape of an {@link #NCHW} sample is channels, height, width.
 */
public enum Layout {
  /** Dimensions without names: arrays that are no pictures. */
  PLAIN("plain"),
  NCHW("nchw"),
  NHWC("nhwc");

  private final String text;

  Layout(String text) {
    this.text = text;
  }

  /** The name in requests: {@code nchw}, {@code nhwc}, {@code plain}. */
  public String text() {
    return text;
  }

  /** Names of a sample's dimensions, outermost first; empty for {@link #PLAIN}. */
  public List<String> dimNames() {
    return switch (this) {
      case PLAIN -> List.of();
      case NCHW -> List.of("C", "H", "W");
      case NHWC -> List.of("H", "W", "C");
    };
  }

  public static Optional<Layout> named(String text) {
    return Arrays.stream(values()).filter(layout -> layout.text.equals(text)).findFirst();
  }
}
