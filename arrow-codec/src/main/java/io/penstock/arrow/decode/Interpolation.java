package io.penstock.arrow.decode;

/** How pixels are made when a picture is resized. */
public enum Interpolation {
  /** Means over the covered area; smooth when shrinking, bilinear when growing. */
  AREA,
  /**
   * Between the two nearest in each direction; fast, and rough when shrinking to less than half.
   */
  BILINEAR,
  /** Over the four nearest in each direction; sharp, and rough when shrinking to less than half. */
  BICUBIC
}
