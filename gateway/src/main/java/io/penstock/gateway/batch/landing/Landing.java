package io.penstock.gateway.batch.landing;

import io.penstock.arrow.ipc.FrameSink;
import io.vertx.core.Future;

/**
 * Where one stream goes. Frames may come from any thread; everything else happens on the event loop
 * of the request.
 */
public interface Landing extends FrameSink {

  /**
   * Completes when the last frame ({@code END} or {@code FAILURE}) has been taken; fails if the
   * reader has gone or takes too long.
   */
  Future<Void> done();

  /** Drops what was not taken yet. No frame makes sense afterwards, and none is kept. */
  void abandon();
}
