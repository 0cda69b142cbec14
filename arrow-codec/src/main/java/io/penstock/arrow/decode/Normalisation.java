package io.penstock.arrow.decode;

import java.util.Collections;
import java.util.List;

/**
 * How stored values 0 to 255 become floats: {@code (value * scale - mean) / deviation}, the last
 * two by channel. Lists of one number hold for every channel.
 */
public record Normalisation(double scale, List<Double> mean, List<Double> deviation) {

  /** 0 to 255 stay 0 to 255; the only choice for {@code uint8}. */
  public static final Normalisation NONE = new Normalisation(1, List.of(0.0), List.of(1.0));

  /** 0 to 1, as torchvision's {@code ToTensor} makes it. */
  public static final Normalisation UNIT = new Normalisation(1 / 255.0, List.of(0.0), List.of(1.0));

  /** The usual one for networks trained on ImageNet. */
  public static final Normalisation IMAGENET =
      new Normalisation(1 / 255.0, List.of(0.485, 0.456, 0.406), List.of(0.229, 0.224, 0.225));

  public Normalisation {
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    if (!Double.isFinite(scale) || !mean.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("scale and mean must be finite numbers");
    }
    if (mean.isEmpty()
        || deviation.isEmpty()
        || !deviation.stream().allMatch(value -> Double.isFinite(value) && value != 0)) {
      throw new IllegalArgumentException(
          "give a mean and a deviation that is not zero, once or for every channel");
    }
  }

  /** Whether there are numbers for so many channels. */
  boolean fits(int channels) {
    return (mean.size() == 1 || mean.size() == channels)
        && (deviation.size() == 1 || deviation.size() == channels);
  }

  /** What a stored value is multiplied with. */
  double factor(int channel) {
    return scale / deviation.get(deviation.size() == 1 ? 0 : channel);
  }

  /** What is added after that. */
  double offset(int channel) {
    return -mean.get(mean.size() == 1 ? 0 : channel)
        / deviation.get(deviation.size() == 1 ? 0 : channel);
  }

  /** Whether all channels are treated alike. */
  boolean uniform() {
    return Collections.frequency(mean, mean.getFirst()) == mean.size()
        && Collections.frequency(deviation, deviation.getFirst()) == deviation.size();
  }
}
