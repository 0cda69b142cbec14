package io.penstock.arrow.decode;

/**
 * How one picture becomes one sample: {@code region} of the picture is resized to {@code
 * resizedWidth} by {@code resizedHeight}, and of that the sample is cut at {@code cutX, cutY}.
 *
 * @param shrink 1, 2, 4 or 8: a JPEG may be decoded at that fraction of its size and still has at
 *     least the pixels that the resize wants
 */
record Frame(
    Region region,
    int resizedWidth,
    int resizedHeight,
    int cutX,
    int cutY,
    boolean flipped,
    int shrink) {

  private static final int MAX_SHRINK = 8;
  private static final int TRIES = 10;

  /** Pixels of the picture, before any shrinking. */
  record Region(int x, int y, int width, int height) {

    /** The same part of a picture decoded at other dimensions, never empty. */
    Region scaled(int fromWidth, int fromHeight, int toWidth, int toHeight) {
      int left = (int) ((long) x * toWidth / fromWidth);
      int top = (int) ((long) y * toHeight / fromHeight);
      int right = (int) Math.ceilDiv((long) (x + width) * toWidth, (long) fromWidth);
      int bottom = (int) Math.ceilDiv((long) (y + height) * toHeight, (long) fromHeight);
      return new Region(
          left, top, Math.min(right, toWidth) - left, Math.min(bottom, toHeight) - top);
    }
  }

  /**
   * The frame of a picture of that width and height; random parts are drawn for {@code item}.
   *
   * @throws DecodeException if a very long picture would be resized to more than {@code pixels}
   */
  static Frame of(ImageSpec spec, int width, int height, long item, long pixels)
      throws DecodeException {
    ItemRandom random = new ItemRandom(spec.augmentation().seed(), item);
    boolean flipped = random.fraction() < spec.augmentation().flip();
    Region whole = new Region(0, 0, width, height);
    return switch (spec.framing()) {
      case Framing.Stretch() -> resized(spec, whole, flipped);
      case Framing.ResizeThenCrop crop -> {
        checkLonger(crop, whole, pixels);
        yield cut(spec, whole, crop, flipped, random);
      }
      case Framing.RandomResizedCrop crop -> resized(spec, drawn(crop, whole, random), flipped);
    };
  }

  private static Frame resized(ImageSpec spec, Region region, boolean flipped) {
    int shrink = shrink(region, spec.width(), spec.height());
    return new Frame(region, spec.width(), spec.height(), 0, 0, flipped, shrink);
  }

  private static Frame cut(
      ImageSpec spec,
      Region whole,
      Framing.ResizeThenCrop crop,
      boolean flipped,
      ItemRandom random) {
    long side = crop.shorterSide();
    boolean tall = whole.width <= whole.height;
    int longer = Math.toIntExact(longer(side, whole));
    int width = tall ? crop.shorterSide() : longer;
    int height = tall ? longer : crop.shorterSide();
    int spareX = width - spec.width();
    int spareY = height - spec.height();
    // torchvision rounds the centre half to even
    int cutX = crop.random() ? random.below(spareX + 1) : (int) Math.rint(spareX / 2.0);
    int cutY = crop.random() ? random.below(spareY + 1) : (int) Math.rint(spareY / 2.0);
    return new Frame(whole, width, height, cutX, cutY, flipped, shrink(whole, width, height));
  }

  private static long longer(long side, Region whole) {
    return side * Math.max(whole.width, whole.height) / Math.min(whole.width, whole.height);
  }

  private static void checkLonger(Framing.ResizeThenCrop crop, Region whole, long pixels)
      throws DecodeException {
    long longer = longer(crop.shorterSide(), whole);
    if (longer > pixels / crop.shorterSide()) {
      throw DecodeException.tooLarge(
          "the picture of %d x %d would be resized to %d x %d, above the limit of %d pixels"
              .formatted(whole.width, whole.height, crop.shorterSide(), longer, pixels));
    }
  }

  private static Region drawn(Framing.RandomResizedCrop crop, Region whole, ItemRandom random) {
    double lowest = Math.log(crop.minRatio());
    double highest = Math.log(crop.maxRatio());
    for (int i = 0; i < TRIES; i++) {
      double area =
          (double) whole.width
              * whole.height
              * (crop.minArea() + random.fraction() * (crop.maxArea() - crop.minArea()));
      double ratio = Math.exp(lowest + random.fraction() * (highest - lowest));
      int width = (int) Math.rint(Math.sqrt(area * ratio));
      int height = (int) Math.rint(Math.sqrt(area / ratio));
      if (width > 0 && width <= whole.width && height > 0 && height <= whole.height) {
        return new Region(
            random.below(whole.width - width + 1),
            random.below(whole.height - height + 1),
            width,
            height);
      }
    }
    return centre(crop, whole);
  }

  /** The largest central part with an allowed ratio, for pictures too long for any draw. */
  private static Region centre(Framing.RandomResizedCrop crop, Region whole) {
    double ratio =
        Math.clamp((double) whole.width / whole.height, crop.minRatio(), crop.maxRatio());
    int width = Math.clamp((long) Math.rint(whole.height * ratio), 1, whole.width);
    int height = Math.clamp((long) Math.rint(whole.width / ratio), 1, whole.height);
    return new Region((whole.width - width) / 2, (whole.height - height) / 2, width, height);
  }

  private static int shrink(Region region, int width, int height) {
    int shrink = 1;
    while (shrink < MAX_SHRINK
        && region.width / (shrink * 2) >= width
        && region.height / (shrink * 2) >= height) {
      shrink *= 2;
    }
    return shrink;
  }
}
