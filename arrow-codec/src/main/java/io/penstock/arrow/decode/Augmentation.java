package io.penstock.arrow.decode;

/**
 * What is drawn by lot for each item. Seed and item number alone decide: the same on every machine,
 * in any order of decoding.
 *
 * @param seed of the epoch
 * @param flip probability of a mirrored picture, left for right
 */
public record Augmentation(long seed, double flip) {

  public static final Augmentation NONE = new Augmentation(0, 0);

  public Augmentation {
    if (!(flip >= 0 && flip <= 1)) {
      throw new IllegalArgumentException("the probability of a flip lies between 0 and 1");
    }
  }
}
