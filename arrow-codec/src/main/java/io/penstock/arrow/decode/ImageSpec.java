package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.Layout;
import io.penstock.arrow.tensor.TensorSpec;

/**
 * Pictures into tensors: which part, how resized, in which numbers. Channels are red, green, blue
 * (3) or luma (1); transparency is dropped, not blended; CMYK is converted; 16 bits become 8.
 *
 * @param tensor {@code uint8}, {@code float16} or {@code float32}; NCHW or NHWC; 1 or 3 channels
 * @param upright whether a JPEG's Exif orientation is obeyed; the usual loaders (torchvision, PIL,
 *     TensorFlow) do not
 */
public record ImageSpec(
    TensorSpec tensor,
    Framing framing,
    Interpolation interpolation,
    Normalisation normalisation,
    Augmentation augmentation,
    boolean upright)
    implements DecodeSpec {

  /**
   * @throws IllegalArgumentException if the parts do not fit each other; the message says which
   */
  public ImageSpec {
    if (tensor.layout() == Layout.PLAIN) {
      throw new IllegalArgumentException("a picture needs the layout nchw or nhwc");
    }
    boolean floats = tensor.dtype() == DType.FLOAT16 || tensor.dtype() == DType.FLOAT32;
    if (!floats && tensor.dtype() != DType.UINT8) {
      throw new IllegalArgumentException(
          "pictures become uint8, float16 or float32, not " + tensor.dtype().text());
    }
    int channels = tensor.length("C");
    if (channels != 1 && channels != 3) {
      throw new IllegalArgumentException("a picture has 1 or 3 channels, not " + channels);
    }
    if (!floats && !normalisation.equals(Normalisation.NONE)) {
      throw new IllegalArgumentException("uint8 cannot be normalised: ask for a float type");
    }
    if (!normalisation.fits(channels)) {
      throw new IllegalArgumentException(
          "give mean and deviation once or for each of %d channels".formatted(channels));
    }
    if (framing instanceof Framing.ResizeThenCrop(int shorterSide, boolean _)
        && shorterSide < Math.max(tensor.length("H"), tensor.length("W"))) {
      throw new IllegalArgumentException(
          "resize the shorter side to at least the sample's height and width");
    }
  }

  /** Stretched, by area, without anything random. */
  public static ImageSpec of(TensorSpec tensor) {
    return new ImageSpec(
        tensor,
        new Framing.Stretch(),
        Interpolation.AREA,
        tensor.dtype() == DType.UINT8 ? Normalisation.NONE : Normalisation.UNIT,
        Augmentation.NONE,
        false);
  }

  public ImageSpec with(Framing other) {
    return new ImageSpec(tensor, other, interpolation, normalisation, augmentation, upright);
  }

  public ImageSpec with(Interpolation other) {
    return new ImageSpec(tensor, framing, other, normalisation, augmentation, upright);
  }

  public ImageSpec with(Normalisation other) {
    return new ImageSpec(tensor, framing, interpolation, other, augmentation, upright);
  }

  public ImageSpec with(Augmentation other) {
    return new ImageSpec(tensor, framing, interpolation, normalisation, other, upright);
  }

  public ImageSpec withUpright(boolean obeyed) {
    return new ImageSpec(tensor, framing, interpolation, normalisation, augmentation, obeyed);
  }

  int height() {
    return tensor.length("H");
  }

  int width() {
    return tensor.length("W");
  }

  int channels() {
    return tensor.length("C");
  }
}
