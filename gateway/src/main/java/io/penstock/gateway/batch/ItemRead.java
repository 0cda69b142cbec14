package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.arrow.wire.ItemHead;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one item: its bytes stay in the buffers in which they arrive, each charged before
 * more is asked for. Begins with the bytes that were claimed for it before its size was known.
 *
 * <p>Threading: the event loop.
 *
 * <p>Ownership: of the buffers and of what is charged for them, until the outcome is told.
 */
final class ItemRead implements BodyStream.Sink {
  private static final long LONGEST_ERROR = 64 << 10;

  private final PlannedItem planned;
  private final RunMemory memory;
  private final long mostBytes;
  private final Consumer<ItemOutcome> done;
  private final List<NettyPart> parts = new ArrayList<>();
  private ItemHead head;
  private long claimed;
  private long received;
  private @Nullable BodyStream body;
  private @Nullable ByteBuf uncharged;
  private boolean ended;
  private boolean over;

  ItemRead(
      PlannedItem planned,
      RunMemory memory,
      long claimed,
      long mostBytes,
      Consumer<ItemOutcome> done) {
    this.planned = planned;
    this.memory = memory;
    this.claimed = claimed;
    this.mostBytes = mostBytes;
    this.done = done;
    this.head = unread(planned);
  }

  static ItemHead unread(PlannedItem planned) {
    return new ItemHead(
        planned.index(),
        planned.item().key(),
        planned.item().member(),
        planned.item().versionId(),
        Optional.empty(),
        OptionalLong.empty());
  }

  /**
   * The store's answer, or none.
   *
   * @param ranged whether a range was asked for, which the whole object is no answer to
   */
  void answered(AsyncResult<UpstreamResponse> answer, boolean ranged) {
    if (answer.failed()) {
      fail(StoreAnswers.failed(answer.cause()));
      return;
    }
    UpstreamResponse response = answer.result();
    if (over) {
      response.body().cancel();
      return;
    }
    body = response.body();
    int status = response.head().status();
    if (status == 200 && ranged) {
      response.body().cancel();
      fail(
          StoreAnswers.of(
              S3Error.SERVICE_UNAVAILABLE, "the store answered a range with the whole object"));
    } else if (status == 200 || status == 206) {
      begin(response.head().fields(), response.body());
    } else {
      BodyCollector.collect(response.body(), LONGEST_ERROR)
          .onComplete(
              document ->
                  fail(
                      StoreAnswers.refused(
                          status, document.succeeded() ? document.result() : new byte[0])));
    }
  }

  /** There is nothing to read: the item has no bytes. */
  void empty(String etag) {
    head =
        new ItemHead(
            head.index(),
            head.key(),
            head.member(),
            head.versionId(),
            Optional.of(etag),
            OptionalLong.of(0));
    end();
  }

  private void begin(HttpFields fields, BodyStream bytes) {
    OptionalLong size = bytes.length() < 0 ? OptionalLong.empty() : OptionalLong.of(bytes.length());
    head =
        new ItemHead(
            planned.index(),
            planned.item().key(),
            planned.item().member(),
            fields.get("x-amz-version-id").or(planned.item()::versionId),
            fields.get("etag"),
            size);
    if (bytes.length() > mostBytes) {
      bytes.cancel();
      fail(tooLarge());
    } else if (bytes.length() > claimed) {
      long more = bytes.length() - claimed;
      memory.claim(
          planned.sequence(),
          more,
          () -> {
            claimed += more;
            if (over) {
              settle();
            } else {
              bytes.start(this);
            }
          });
    } else {
      bytes.start(this);
    }
  }

  private ItemStatus.Failed tooLarge() {
    return StoreAnswers.of(
        S3Error.ENTITY_TOO_LARGE,
        "items have at most %d bytes here (batch.max-item): ask for ranges".formatted(mostBytes));
  }

  @Override
  public void data(ByteBuf buffer) {
    if (over) {
      buffer.release();
      return;
    }
    ByteBuf kept = compact(buffer);
    long cost = memory(kept);
    received += kept.readableBytes();
    if (received > mostBytes) {
      kept.release();
      cancelBody();
      fail(tooLarge());
      return;
    }
    if (claimed < cost) {
      wait(kept, cost);
    } else {
      keep(kept, cost);
    }
  }

  private void keep(ByteBuf buffer, long cost) {
    claimed -= cost;
    parts.add(new NettyPart(buffer, cost, memory));
  }

  /** The bytes are here already: at most one buffer an item is held before it is charged. */
  private void wait(ByteBuf buffer, long cost) {
    BodyStream source = body;
    long more = cost - claimed;
    if (memory.tryClaim(more)) {
      claimed += more;
      keep(buffer, cost);
      return;
    }
    if (source != null) {
      source.pause();
    }
    uncharged = buffer;
    memory.claim(
        planned.sequence(),
        more,
        () -> {
          claimed += more;
          charged(cost);
        });
  }

  private void charged(long cost) {
    ByteBuf buffer = uncharged;
    uncharged = null;
    if (over || buffer == null) {
      settle();
      return;
    }
    keep(buffer, cost);
    if (ended) {
      end();
    } else if (body != null) {
      body.resume();
    }
  }

  /** A few bytes must not keep a whole receive buffer. */
  private static ByteBuf compact(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    if (memory(buffer) <= 2L * bytes) {
      return buffer;
    }
    ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
    copy.writeBytes(buffer);
    buffer.release();
    return copy;
  }

  /** A slice pins the whole buffer it was cut from. */
  private static long memory(ByteBuf buffer) {
    ByteBuf whole = buffer;
    for (ByteBuf next = whole.unwrap(); next != null; next = whole.unwrap()) {
      whole = next;
    }
    return whole.capacity();
  }

  @Override
  public void end() {
    ended = true;
    if (over || uncharged != null) {
      return;
    }
    over = true;
    settle();
    if (head.size().isEmpty()) {
      head =
          new ItemHead(
              head.index(),
              head.key(),
              head.member(),
              head.versionId(),
              head.etag(),
              OptionalLong.of(received));
    }
    done.accept(new ItemOutcome.Read(head, parts, false));
  }

  /**
   * There is nothing to read: what becomes of the item is here.
   *
   * @param object what the store says of the object
   * @param made its bytes, charged elsewhere; taken over
   */
  void made(HttpFields object, List<ByteBuf> made) {
    if (over) {
      made.forEach(ByteBuf::release);
      return;
    }
    over = true;
    settle();
    head =
        new ItemHead(
            head.index(),
            head.key(),
            head.member(),
            object.get("x-amz-version-id").or(head::versionId),
            object.get("etag"),
            object.get("content-length").stream().mapToLong(Long::parseLong).findFirst());
    made.forEach(buffer -> parts.add(new NettyPart(buffer, 0, memory)));
    done.accept(new ItemOutcome.Read(head, parts, true));
  }

  @Override
  public void failed(Throwable cause) {
    fail(StoreAnswers.failed(cause));
  }

  /** Ends without bytes. */
  void fail(ItemStatus.Failed status) {
    if (drop()) {
      done.accept(new ItemOutcome.Missing(head, status));
    }
  }

  /** Nobody wants it any more: gives everything back and tells nobody. */
  void cancel() {
    if (drop()) {
      cancelBody();
    }
  }

  private void cancelBody() {
    if (body != null) {
      body.cancel();
    }
  }

  private boolean drop() {
    if (over) {
      return false;
    }
    over = true;
    parts.forEach(NettyPart::release);
    parts.clear();
    if (uncharged != null) {
      uncharged.release();
      uncharged = null;
    }
    settle();
    return true;
  }

  private void settle() {
    memory.giveBack(claimed);
    claimed = 0;
  }
}
