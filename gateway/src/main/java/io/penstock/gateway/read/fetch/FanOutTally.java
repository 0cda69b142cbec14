package io.penstock.gateway.read.fetch;

import io.penstock.gateway.upstream.UpstreamObserver;

/**
 * Tells the observer what one fan-out does.
 *
 * <p>Threading: the event loop of the body.
 */
final class FanOutTally {
  private final UpstreamObserver observer;
  private final String operation;
  private int width = 1;

  FanOutTally(UpstreamObserver observer, String operation) {
    this.observer = observer;
    this.operation = operation;
  }

  void started() {
    observer.partStarted(operation);
  }

  void wasted(long bytes) {
    observer.partWasted(operation, bytes);
  }

  void notWorthwhile() {
    observer.fanOutGivenUp(operation);
  }

  /** So many connections are meant to read the object now. */
  void width(int now) {
    if (now != width) {
      observer.fanOutChanged(operation, now - width);
      width = now;
    }
  }

  void finished() {
    width(1);
  }
}
