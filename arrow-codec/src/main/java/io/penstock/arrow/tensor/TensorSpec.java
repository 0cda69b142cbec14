package io.penstock.arrow.tensor;

import java.util.List;

/**
 * The form of one sample: element type, shape (outermost dimension first, stored row-major) and
 * what its dimensions mean. Every sample of a column has the same form, which is Arrow's {@code
 * arrow.fixed_shape_tensor}; a list of no dimensions is a scalar.
 *
 * @param shape lengths of the dimensions, each at least 1, their product at most 2^31 - 1 (the
 *     limit of Arrow's fixed-size list)
 */
public record TensorSpec(DType dtype, List<Integer> shape, Layout layout) {

  /** More dimensions than that are an attack, not a tensor. */
  public static final int MAX_DIMENSIONS = 32;

  /**
   * @throws IllegalArgumentException if a length is below 1, the product above the limit, or the
   *     layout wants another number of dimensions
   */
  public TensorSpec {
    shape = List.copyOf(shape);
    if (shape.size() > MAX_DIMENSIONS) {
      throw new IllegalArgumentException(
          "a sample has %d dimensions: give at most %d".formatted(shape.size(), MAX_DIMENSIONS));
    }
    if (layout != Layout.PLAIN && shape.size() != layout.dimNames().size()) {
      throw new IllegalArgumentException(
          "a %s sample has the dimensions %s, not %d of them"
              .formatted(layout.text(), layout.dimNames(), shape.size()));
    }
    long elements = 1;
    for (int length : shape) {
      if (length < 1) {
        throw new IllegalArgumentException("every dimension of " + shape + " must be at least 1");
      }
      elements *= length;
      if (elements > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "a sample of shape %s has more than %d elements".formatted(shape, Integer.MAX_VALUE));
      }
    }
  }

  /** A tensor whose dimensions have no names. */
  public static TensorSpec plain(DType dtype, Integer... shape) {
    return new TensorSpec(dtype, List.of(shape), Layout.PLAIN);
  }

  /** A picture in planes: channels, height, width. */
  public static TensorSpec nchw(DType dtype, int channels, int height, int width) {
    return new TensorSpec(dtype, List.of(channels, height, width), Layout.NCHW);
  }

  /** A picture in pixels: height, width, channels. */
  public static TensorSpec nhwc(DType dtype, int height, int width, int channels) {
    return new TensorSpec(dtype, List.of(height, width, channels), Layout.NHWC);
  }

  /** Elements of one sample. */
  public int elements() {
    return shape.stream().reduce(1, (product, length) -> product * length);
  }

  /** Bytes of one sample, without any padding. */
  public long bytesPerSample() {
    return (long) elements() * dtype.bytes();
  }

  /**
   * Length of the dimension called {@code name}: {@code C}, {@code H} or {@code W}.
   *
   * @throws IllegalArgumentException if the layout has no such dimension
   */
  public int length(String name) {
    int index = layout.dimNames().indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("no dimension " + name + " in layout " + layout.text());
    }
    return shape.get(index);
  }
}
