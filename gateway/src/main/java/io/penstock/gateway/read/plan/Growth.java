package io.penstock.gateway.read.plan;

/** How far a fan-out has come; rates in bytes per second, all connections together. */
public sealed interface Growth {

  /** Connections that should be under way. */
  int width();

  /**
   * One connection reads everything that is left.
   *
   * @param rate of the round before, 0 if there was none
   * @param notBefore position of the body before which no trial is made
   */
  record One(double rate, long notBefore) implements Growth {
    @Override
    public int width() {
      return 1;
    }
  }

  /**
   * One connection goes on reading everything; a second one reads a part further on, which is
   * thrown away if that does not pay.
   *
   * @param single rate of one connection
   */
  record Trial(double single) implements Growth {
    @Override
    public int width() {
      return 2;
    }
  }

  /**
   * More connections than before, and it is not known yet whether that pays.
   *
   * @param single rate of one connection
   * @param before what {@code widthBefore} connections brought
   */
  record Growing(double single, int widthBefore, double before, int width) implements Growth {}

  /**
   * As many connections as pay.
   *
   * @param single rate of one connection
   * @param rate of these connections
   * @param rounds since the width was found
   */
  record Settled(double single, int width, double rate, int rounds) implements Growth {}
}
