package io.penstock.gateway.read.plan;

/**
 * What was measured over a stretch of time while one body was read.
 *
 * @param bytesPerSecond what arrived from the store, all connections together
 * @param pausedShare part of the time, 0 to 1, in which the client took nothing
 * @param completeParts parts that are whole and wait for their turn
 * @param shortOfRoom whether a part could not be started for want of memory or connections
 * @param position bytes of the body that are done with
 * @param length bytes of the whole body
 */
public record Round(
    double bytesPerSecond,
    double pausedShare,
    int completeParts,
    boolean shortOfRoom,
    long position,
    long length) {

  long remaining() {
    return length - position;
  }
}
