package io.penstock.arrow.decode;

/**
 * What a picture says of itself before any pixel is decoded.
 *
 * @param orientation as in Exif, 1 to 8; 1 is upright
 */
record ImageHeader(ObjectFormat format, int width, int height, int orientation) {

  private static final int FIRST_SIDEWAYS = 5;

  long pixels() {
    return (long) width * height;
  }

  /** The same picture as it looks once it stands upright. */
  ImageHeader upright() {
    return orientation < FIRST_SIDEWAYS
        ? this
        : new ImageHeader(format, /* width= */ height, /* height= */ width, orientation);
  }
}
