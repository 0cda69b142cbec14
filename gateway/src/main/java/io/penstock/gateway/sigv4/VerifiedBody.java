package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client's body without its framing, of known length, that ends well only if it is what the
 * signed head promised: length, signatures, every checksum. The buffer with the last byte is kept
 * back until all checks have passed, so that a store which was told the length can never complete
 * an upload that turns out to be bad. A failure is an {@link S3Exception} and is reported at once,
 * also while paused.
 *
 * <p>Threading: the event loop of the source.
 *
 * <p>Ownership: every buffer from the source is handed on or released; nothing is held after the
 * end, a failure or {@link #cancel}.
 */
public final class VerifiedBody implements BodyStream {
  private final BodyStream source;
  private final Optional<ChunkedPayload> framing;
  private final BodyChecks checks;
  private final long length;
  private final long limit;
  private final ArrayDeque<ByteBuf> ready = new ArrayDeque<>();
  private @Nullable Sink sink;
  private long received;
  private long delivered;
  private boolean paused;
  private boolean delivering;
  private boolean sourceEnded;
  private boolean checked;
  private boolean over;

  /** Checks {@code source} once started; {@code claim} and {@code expected} are of its head. */
  VerifiedBody(BodyStream source, PayloadClaim claim, PayloadExpectations expected) {
    this.source = source;
    this.length = expected.length() < 0 ? source.length() : expected.length();
    this.limit = expected.limit();
    this.checks = new BodyChecks(claim, expected);
    this.framing =
        switch (claim) {
          case PayloadClaim.SignedChunks chunks ->
              Optional.of(ChunkedPayload.signed(chunks, length));
          case PayloadClaim.UnsignedChunks _ -> Optional.of(ChunkedPayload.unsigned(length));
          case PayloadClaim.Sha256 _, PayloadClaim.Unsigned _ -> Optional.empty();
        };
  }

  /** Bytes of the body without framing; -1 only if the client told no length at all. */
  @Override
  public long length() {
    return length;
  }

  @Override
  public void start(Sink target) {
    sink = target;
    paused = false;
    if (!over) {
      source.start(new Intake());
    }
  }

  @Override
  public void pause() {
    if (!paused && !over) {
      paused = true;
      if (!sourceEnded) {
        source.pause();
      }
    }
  }

  @Override
  public void resume() {
    paused = false;
    deliver();
    if (!paused && !over && !sourceEnded) {
      source.resume();
    }
  }

  @Override
  public void cancel() {
    if (!over) {
      over = true;
      releaseAll();
      source.cancel();
    }
  }

  /** Fields behind the last chunk, names in lower case; complete once the body has ended. */
  public HttpFields trailers() {
    return framing.map(ChunkedPayload::trailers).orElse(HttpFields.EMPTY);
  }

  /** Checksums that were computed, in base64; complete once the body has ended. */
  public Map<ChecksumAlgorithm, String> checksums() {
    return checks.values();
  }

  private void accept(ByteBuf bytes) {
    received += bytes.readableBytes();
    if (received > (length < 0 ? limit : length)) {
      bytes.release();
      throw tooLong();
    }
    ready.add(bytes);
    checks.update(bytes);
  }

  private S3Exception tooLong() {
    return length < 0
        ? new S3Exception(
            S3Error.ENTITY_TOO_LARGE, "The body may have at most " + limit + " bytes.")
        : new S3Exception(
            S3Error.INCOMPLETE_BODY,
            "The body has more than the " + length + " bytes it was said to have.");
  }

  private void finish() {
    framing.ifPresent(ChunkedPayload::end);
    if (received < length) {
      throw new S3Exception(
          S3Error.INCOMPLETE_BODY,
          "The body ended after " + received + " of the " + length + " bytes it was said to have.");
    }
    checks.finish(trailers());
    checked = true;
  }

  /** Hands on what may go, in order; calls from within a callback leave it to the loop outside. */
  private void deliver() {
    Sink target = sink;
    if (delivering || target == null) {
      return;
    }
    delivering = true;
    try {
      while (!paused && !over && deliverNext(target)) {
        // one after the other, until the sink or the source has had enough
      }
    } finally {
      delivering = false;
    }
  }

  private boolean deliverNext(Sink target) {
    ByteBuf next = ready.peek();
    if (next == null) {
      if (checked) {
        over = true;
        target.end();
      }
      return false;
    }
    if (!checked && mayBeLast(next)) {
      return false;
    }
    ready.remove();
    delivered += next.readableBytes();
    target.data(next);
    return true;
  }

  private boolean mayBeLast(ByteBuf next) {
    return length < 0 ? ready.size() == 1 : delivered + next.readableBytes() == length;
  }

  private void fail(Throwable cause) {
    if (!over) {
      over = true;
      releaseAll();
      if (!sourceEnded) {
        source.cancel();
      }
      Objects.requireNonNull(sink).failed(cause);
    }
  }

  private void releaseAll() {
    ready.forEach(ByteBuf::release);
    ready.clear();
  }

  /** Where the source delivers. */
  private final class Intake implements Sink {
    @Override
    public void data(ByteBuf buffer) {
      if (over) {
        buffer.release();
        return;
      }
      try {
        if (framing.isPresent()) {
          framing.get().decode(buffer, VerifiedBody.this::accept);
        } else {
          accept(buffer);
        }
      } catch (RuntimeException e) {
        fail(e);
      }
      deliver();
    }

    @Override
    public void end() {
      sourceEnded = true;
      if (over) {
        return;
      }
      try {
        finish();
      } catch (RuntimeException e) {
        fail(e);
      }
      deliver();
    }

    @Override
    public void failed(Throwable cause) {
      sourceEnded = true;
      fail(cause);
    }
  }
}
