package io.penstock.gateway.route;

import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.Delivery;
import io.penstock.gateway.batch.BatchCall;
import io.penstock.gateway.batch.BatchObserver;
import io.penstock.gateway.batch.Batches;
import io.penstock.gateway.batch.landing.Landing;
import io.penstock.gateway.batch.landing.RingLanding;
import io.penstock.gateway.batch.landing.RingLandings;
import io.penstock.gateway.batch.landing.StreamLanding;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Operation;
import io.penstock.gateway.upstream.Timeline;
import io.vertx.core.Future;
import java.util.concurrent.Executor;

/**
 * Answers a request for batches, or for an epoch, with one Arrow stream, or with the word that it
 * landed in a ring. What is wrong before the first frame is answered like any other failure.
 *
 * <p>Threading: one instance per event loop.
 */
public final class BatchRoute implements Route {
  private static final ResponseHead STREAM =
      new ResponseHead(200, HttpFields.of("content-type", "application/vnd.apache.arrow.stream"));

  private static final ResponseHead PROGRESS =
      new ResponseHead(200, HttpFields.of("content-type", "application/x-ndjson"));

  private final Batches batches;
  private final Executor loop;
  private final Timeline timeline;
  private final BatchObserver observer;
  private final RingLandings rings;

  public BatchRoute(
      Batches batches,
      RingLandings rings,
      Executor loop,
      Timeline timeline,
      BatchObserver observer) {
    this.batches = batches;
    this.rings = rings;
    this.loop = loop;
    this.timeline = timeline;
    this.observer = observer;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    return ClientDocument.read(exchange, batches.config().maxRequest().bytes())
        .compose(batches::parse)
        .compose(request -> serve(exchange, request));
  }

  private Future<Void> serve(Exchange exchange, BatchRequest request) {
    boolean epoch = exchange.request().operation() instanceof S3Operation.Epoch;
    if (epoch != request.epoch().isPresent()) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          epoch
              ? "/epoch is missing: say which rank of which epoch, or send the request to /-/batch."
              : "/epoch is here: send the request to /-/epochs.");
    }
    return switch (request.delivery().landing()) {
      case Delivery.Landing.Response _ ->
          serve(
              exchange,
              request,
              new StreamLanding(
                  exchange.response(),
                  loop,
                  timeline,
                  batches.config().writeDeadline(),
                  new Told(exchange, STREAM)));
      case Delivery.Landing.Ring(String name) ->
          ring(exchange, name).compose(landing -> serve(exchange, request, landing));
    };
  }

  private Future<RingLanding> ring(Exchange exchange, String name) {
    return RingLanding.open(
        rings,
        new RingLanding.Asked(name, exchange.remoteAddress(), batches.config().ring()),
        new RingLanding.Client(
            exchange.response(),
            loop,
            timeline::nanoTime,
            kind -> new Told(exchange, PROGRESS).begins(kind)),
        observer);
  }

  /** Whatever fails before the landing has its last frame abandons it. */
  private Future<Void> serve(Exchange exchange, BatchRequest request, Landing landing) {
    return batches
        .serve(
            new BatchCall(
                "batch " + exchange.requestId(),
                exchange.tenant(),
                request,
                landing,
                exchange.cancellation()))
        .onFailure(_ -> landing.abandon());
  }

  /** What the landing tells: the head goes before the first frame. */
  private final class Told implements StreamLanding.Listener {
    private final Exchange exchange;
    private final ResponseHead head;

    Told(Exchange exchange, ResponseHead head) {
      this.exchange = exchange;
      this.head = head;
    }

    @Override
    public void begins(Frame.Kind kind) {
      if (!exchange.response().headSet()) {
        Reply.head(exchange, head);
      }
      if (kind == Frame.Kind.FAILURE) {
        exchange.answered(head.status(), S3Error.INTERNAL_ERROR.code());
      }
    }

    @Override
    public void tooSlow() {
      observer.cutOff();
      exchange.cancellation().cancel();
    }
  }
}
