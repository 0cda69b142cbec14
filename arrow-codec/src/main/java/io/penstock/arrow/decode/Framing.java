package io.penstock.arrow.decode;

/** Which part of a picture becomes the sample, and how it is brought to the sample's size. */
public sealed interface Framing {

  /** The whole picture, its proportions given up. */
  record Stretch() implements Framing {}

  /**
   * Resized so that the shorter side has {@code shorterSide} pixels, then cut to the sample's size:
   * torchvision's {@code Resize(int)} with {@code CenterCrop} or {@code RandomCrop}.
   *
   * @param shorterSide at least the sample's height and width
   * @param random whether the place of the cut is drawn, else it is the centre
   */
  record ResizeThenCrop(int shorterSide, boolean random) implements Framing {}

  /**
   * A part drawn by area and by width over height, then resized to the sample's size: torchvision's
   * {@code RandomResizedCrop}, whose usual figures are 0.08, 1, 3/4 and 4/3.
   */
  record RandomResizedCrop(double minArea, double maxArea, double minRatio, double maxRatio)
      implements Framing {

    public RandomResizedCrop {
      boolean areas = minArea > 0 && minArea <= maxArea && maxArea <= 1;
      boolean ratios = minRatio > 0 && minRatio <= maxRatio && Double.isFinite(maxRatio);
      if (!areas || !ratios) {
        throw new IllegalArgumentException(
            "a random crop needs 0 < min-area <= max-area <= 1 and 0 < min-ratio <= max-ratio");
      }
    }
  }
}
