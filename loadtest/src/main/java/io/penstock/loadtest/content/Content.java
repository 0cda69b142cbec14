package io.penstock.loadtest.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The content of every synthetic object: byte {@code i} of object {@code n} is byte {@code (i + n *
 * STRIDE) mod PERIOD} of one random block. The period is a prime, so two places of an object that
 * are a whole number of blocks, parts or pages apart never look alike: bytes put in another part's
 * place are noticed.
 *
 * <p>Threading: any. Ownership: slices are unreleasable views of one direct buffer that lives as
 * long as the process.
 */
public final class Content {
  static final int PERIOD = 1_000_003;
  private static final long STRIDE = 7919;
  private static final ByteBuf BLOCK = block();

  private Content() {}

  private static ByteBuf block() {
    ByteBuf block = Unpooled.directBuffer(PERIOD, PERIOD);
    var random = new SplittableRandom(42);
    for (int i = 0; i < PERIOD; i++) {
      block.writeByte(random.nextInt());
    }
    return Unpooled.unreleasableBuffer(block);
  }

  /**
   * Up to {@code max} bytes of object {@code n} from {@code offset} on, at least one; fewer than
   * {@code max} where the block ends.
   */
  public static ByteBuf slice(int n, long offset, long max) {
    int at = place(n, offset);
    return BLOCK.slice(at, (int) Math.min(max, PERIOD - at));
  }

  /** Bytes {@code offset} to {@code offset + length - 1} of object {@code n}, piece by piece. */
  public static List<ByteBuf> slices(int n, long offset, long length) {
    List<ByteBuf> pieces = new ArrayList<>();
    for (long done = 0; done < length; ) {
      ByteBuf piece = slice(n, offset + done, length - done);
      pieces.add(piece);
      done += piece.readableBytes();
    }
    return pieces;
  }

  /**
   * Whether all readable bytes of {@code bytes} are those of object {@code n} from {@code offset}.
   */
  public static boolean matches(ByteBuf bytes, int n, long offset) {
    int from = bytes.readerIndex();
    int left = bytes.readableBytes();
    long at = offset;
    while (left > 0) {
      int place = place(n, at);
      int length = Math.min(left, PERIOD - place);
      if (!ByteBufUtil.equals(bytes, from, BLOCK, place, length)) {
        return false;
      }
      from += length;
      at += length;
      left -= length;
    }
    return true;
  }

  private static int place(int n, long offset) {
    return (int) Math.floorMod(offset + n * STRIDE, (long) PERIOD);
  }
}
