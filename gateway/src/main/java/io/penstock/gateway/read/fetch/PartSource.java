package io.penstock.gateway.read.fetch;

import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;

/**
 * Asks the store for parts of one body: exactly these bytes of exactly this version.
 *
 * <p>Threading: the event loop of the channel.
 */
final class PartSource {
  private final RestOfObject whole;
  private final UpstreamChannel store;
  private final UpstreamObserver observer;

  PartSource(RestOfObject whole, UpstreamChannel store, UpstreamObserver observer) {
    this.whole = whole;
    this.store = store;
    this.observer = observer;
  }

  /** The store would not give a part now; it may later, or as one stream. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(Throwable cause) {
      super(cause.getMessage(), cause, false, false);
    }
  }

  /**
   * The bytes from {@code from} to {@code end} of the body, over as many connections as break.
   * Fails with {@link Refused}, or with an {@link UpstreamFailure} if asking again is of no use.
   */
  Future<BodyStream> part(long from, long end, Cancellation cancellation) {
    RestOfObject part = whole.part(from, end);
    return store
        .send(part.requestAfter(0, cancellation))
        .transform(
            answer ->
                answer.succeeded()
                    ? answered(part, answer.result(), cancellation)
                    : Future.failedFuture(failure(answer.cause())));
  }

  private Future<BodyStream> answered(
      RestOfObject part, UpstreamResponse response, Cancellation cancellation) {
    if (part.isAnsweredBy(response, 0)) {
      return Future.succeededFuture(
          new ResumingBody(part, response.body(), store, observer, cancellation));
    }
    response.body().cancel();
    ResponseHead head = response.head();
    boolean otherVersion =
        head.status() < 300
            && !head.fields().get("etag").equals(java.util.Optional.of(part.etag()));
    if (head.status() == 412 || head.status() == 404 || otherVersion) {
      return Future.failedFuture(
          new UpstreamFailure.Broken("the object changed while it was read", true));
    }
    return Future.failedFuture(
        new Refused(
            new UpstreamFailure.Broken(
                "the store answered " + head.status() + " when asked for a part of the object",
                true)));
  }

  private static Throwable failure(Throwable cause) {
    boolean passing =
        cause instanceof UpstreamFailure && !(cause instanceof UpstreamFailure.Cancelled);
    return passing ? new Refused(cause) : cause;
  }
}
