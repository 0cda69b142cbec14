package io.penstock.gateway.batch.landing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.penstock.arrow.ipc.BodyPart;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cuts the parts of a frame into pieces of about {@link #BYTES}: many small parts become one piece,
 * for one write, and a large part becomes several, so that a slow reader's progress shows.
 */
final class Pieces {
  static final int BYTES = 256 << 10;

  /** What one call of writev takes. */
  private static final int MOST_PARTS = 512;

  private Pieces() {}

  /** Pieces of all parts, which belong to the pieces now. */
  static ArrayDeque<ByteBuf> of(List<BodyPart> parts) {
    ArrayDeque<ByteBuf> pieces = new ArrayDeque<>();
    CompositeByteBuf open = composite();
    for (BodyPart part : parts) {
      for (ByteBuf buffer : cut(part)) {
        if (open.numComponents() == MOST_PARTS
            || (open.numComponents() > 0
                && open.readableBytes() + buffer.readableBytes() > BYTES)) {
          pieces.add(open);
          open = composite();
        }
        open.addComponent(true, buffer);
      }
    }
    if (open.numComponents() > 0) {
      pieces.add(open);
    } else {
      open.release();
    }
    return pieces;
  }

  private static CompositeByteBuf composite() {
    return Unpooled.compositeBuffer(MOST_PARTS);
  }

  private static List<ByteBuf> cut(BodyPart part) {
    ByteBuffer view = part.view();
    if (!view.hasRemaining()) {
      part.release();
      return List.of();
    }
    if (!view.isDirect()) {
      // the socket would copy it anyway
      ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(view.remaining());
      copy.writeBytes(view);
      part.release();
      return List.of(copy);
    }
    int count = Math.ceilDiv(view.remaining(), BYTES);
    AtomicInteger holders = new AtomicInteger(count);
    Runnable freed =
        () -> {
          if (holders.decrementAndGet() == 0) {
            part.release();
          }
        };
    ByteBuf[] pieces = new ByteBuf[count];
    for (int i = 0; i < count; i++) {
      int at = i * BYTES;
      pieces[i] = new PartBuffer(view.slice(at, Math.min(BYTES, view.limit() - at)), freed);
    }
    return List.of(pieces);
  }
}
