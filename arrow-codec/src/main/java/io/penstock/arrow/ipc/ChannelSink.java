package io.penstock.arrow.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Frames into a blocking channel: files and tests.
 *
 * <p>Threading: one thread, which is blocked while the channel is not ready.
 *
 * <p>Ownership: the channel stays its opener's.
 */
public final class ChannelSink implements FrameSink {
  private final WritableByteChannel channel;

  public ChannelSink(WritableByteChannel channel) {
    this.channel = channel;
  }

  /** Writes the frame; the stage is complete on return. */
  @Override
  public CompletionStage<Void> frame(Frame frame) {
    try {
      for (BodyPart part : frame.parts()) {
        for (ByteBuffer view = part.view(); view.hasRemaining(); ) {
          channel.write(view);
        }
      }
      return CompletableFuture.completedStage(null);
    } catch (IOException e) {
      return CompletableFuture.failedStage(e);
    } finally {
      frame.release();
    }
  }
}
