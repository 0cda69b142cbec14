package io.penstock.gateway.upstream.wire;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the pool and a connection, perhaps a second one if the first was
 * stale. Whoever holds it says so with {@link #heldBy}, so that a cancellation finds it.
 *
 * <p>Threading: the pool's event loop.
 */
final class WireCall {

  /** Where a call is at the moment. */
  interface Holder {
    void cancelled(WireCall call);
  }

  private final WireRequest request;
  private final Promise<UpstreamResponse> answer = Promise.promise();
  private final @Nullable BodySender sender;
  private final long created = System.nanoTime();
  private Cancellation.@Nullable Registration registration;
  private Holder holder;
  private boolean repeated;

  WireCall(WireRequest request, Holder holder) {
    this.request = request;
    this.holder = holder;
    this.sender =
        request.body() instanceof UpstreamBody.Streaming streaming
            ? new BodySender(streaming)
            : null;
  }

  /** From now on a cancellation reaches the holder. */
  void watchCancellation() {
    registration = request.cancellation().onCancel(() -> holder.cancelled(this));
  }

  WireRequest request() {
    return request;
  }

  Future<UpstreamResponse> answer() {
    return answer.future();
  }

  @Nullable BodySender sender() {
    return sender;
  }

  long created() {
    return created;
  }

  void heldBy(Holder holder) {
    this.holder = holder;
  }

  boolean isRepeated() {
    return repeated;
  }

  /**
   * Whether it may go out once more after a connection died without a byte of response; if so it
   * counts as repeated.
   *
   * @param delivered whether the store may have seen it
   */
  boolean repeatable(boolean delivered) {
    boolean untouched = sender == null || sender.taken() == 0;
    boolean harmless = request.idempotent() || !delivered;
    if (repeated || !untouched || !harmless) {
      return false;
    }
    repeated = true;
    return true;
  }

  void answered(UpstreamResponse response) {
    if (!answer.tryComplete(response)) {
      response.body().cancel();
    }
  }

  void failed(Throwable failure) {
    finished();
    if (sender != null && sender.started()) {
      // what has left the client cannot be asked for again, wherever this attempt broke
      sender.stop();
      answer.tryFail(
          failure instanceof UpstreamFailure.Unreachable
              ? new UpstreamFailure.Broken(String.valueOf(failure.getMessage()), true)
              : failure);
      return;
    }
    answer.tryFail(failure);
  }

  /** The response's end, or the call's: nothing is left to cancel. */
  void finished() {
    if (registration != null) {
      registration.close();
      registration = null;
    }
  }
}
