package io.penstock.arrow.ipc;

import java.util.concurrent.CompletionStage;

/**
 * Where frames go: a response, a ring, a file. This is the seam of back-pressure: a sink says when
 * it wants the next frame, and a batch is not begun before.
 *
 * <p>Threading: one frame at a time, in order; the stage may complete on any thread.
 *
 * <p>Ownership: a sink owns every part of a frame from the call on, whatever becomes of the call or
 * of the stage: it releases each part once, when its bytes are written or when it drops them.
 */
@FunctionalInterface
public interface FrameSink {
  /**
   * Takes a frame.
   *
   * @return completes when the sink is ready for the next frame, which may be before these bytes
   *     are written; fails if the reader has gone, and then no frame makes sense any more
   */
  CompletionStage<Void> frame(Frame frame);
}
