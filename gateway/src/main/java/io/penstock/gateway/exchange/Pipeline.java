package io.penstock.gateway.exchange;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Every request takes this way: authenticate the raw bytes, parse, authorise, admit, route;
 * whatever fails, at any point, becomes one reply in {@link FailureStage}.
 *
 * <p>Threading: one instance per event loop.
 */
public final class Pipeline {
  private final Stage authenticate;
  private final Stage parse;
  private final Stage authorize;
  private final AdmitStage admit;
  private final Route route;
  private final FailureStage failure = new FailureStage();
  private final Consumer<Exchange> finished;

  /**
   * A pipeline of these stages that ends in {@code route}.
   *
   * @param finished hears of every exchange exactly once, after its last byte was handed over or it
   *     was given up
   */
  public Pipeline(
      AuthenticateStage authenticate,
      ParseStage parse,
      AuthorizeStage authorize,
      AdmitStage admit,
      Route route,
      Consumer<Exchange> finished) {
    this.authenticate = authenticate;
    this.parse = parse;
    this.authorize = authorize;
    this.admit = admit;
    this.route = route;
    this.finished = finished;
  }

  /** Takes the exchange to its end; never throws. */
  public void run(Exchange exchange) {
    try {
      authenticate.apply(exchange);
      parse.apply(exchange);
      authorize.apply(exchange);
      admit.apply(exchange);
    } catch (RuntimeException refused) {
      failure.answer(exchange, refused);
      finished.accept(exchange);
      return;
    }
    routed(exchange)
        .onComplete(
            done -> {
              admit.release(exchange);
              try {
                if (done.failed()) {
                  failure.answer(exchange, done.cause());
                }
              } catch (RuntimeException unanswerable) {
                exchange.cancellation().cancel();
                exchange.response().reset();
              } finally {
                finished.accept(exchange);
              }
            });
  }

  /**
   * A route that throws, for want of memory too, has failed like any other: what was admitted must
   * be given back.
   */
  private Future<Void> routed(Exchange exchange) {
    try {
      return route.handle(exchange);
    } catch (Throwable thrown) {
      return Future.failedFuture(thrown);
    }
  }
}
