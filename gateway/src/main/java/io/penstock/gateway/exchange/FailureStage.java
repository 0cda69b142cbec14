package io.penstock.gateway.exchange;

import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.upstream.UpstreamFailure;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns every failure into its one reply: S3 XML with the request id, or, when a response has
 * already begun, a broken connection that nobody can take for a complete answer.
 */
public final class FailureStage {
  private static final Logger LOG = LoggerFactory.getLogger(FailureStage.class);

  /** Tells an error of the gateway from one of the store behind it. */
  public static final String HOST_ID = "penstock";

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Answers; does nothing if the client has gone. */
  public void answer(Exchange exchange, Throwable cause) {
    if (exchange.cancellation().isCancelled()) {
      exchange.response().reset();
      return;
    }
    S3Exception failure = classify(exchange, cause);
    if (exchange.response().headSet()) {
      LOG.warn(
          "request {} broken off after its head: {}", exchange.requestId(), cause.getMessage());
      exchange.answered(exchange.status(), failure.error().code());
      exchange.cancellation().cancel();
      exchange.response().reset();
      return;
    }
    exchange.answered(failure.error().status(), failure.error().code());
    write(exchange, failure);
    exchange.cancellation().cancel();
  }

  private static void write(Exchange exchange, S3Exception failure) {
    byte[] xml =
        S3Xml.error(
            failure.error().code(),
            String.valueOf(failure.getMessage()),
            exchange.head().rawPath(),
            exchange.requestId(),
            HOST_ID);
    HttpFields.Builder fields =
        HttpFields.builder()
            .add("content-type", "application/xml")
            .add("content-length", Integer.toString(xml.length))
            .add("x-amz-request-id", exchange.requestId());
    failure
        .retryAfter()
        .ifPresent(wait -> fields.add("retry-after", Long.toString(Math.max(1, wait.toSeconds()))));
    exchange.response().head(new ResponseHead(failure.error().status(), fields.build()));
    if (exchange.head().method().equals("HEAD")) {
      exchange.response().end();
    } else {
      exchange.response().end(Unpooled.wrappedBuffer(xml));
    }
  }

  private static S3Exception classify(Exchange exchange, Throwable cause) {
    return switch (cause) {
      case S3Exception failure -> failure;
      case UpstreamFailure.BodyFailed failed when failed.getCause() != null ->
          classify(exchange, failed.getCause());
      case UpstreamFailure.Overloaded full ->
          new S3Exception(
              S3Error.SLOW_DOWN,
              full.getMessage() + ": reduce your request rate.",
              full.retryAfter());
      case UpstreamFailure failure ->
          new S3Exception(
              S3Error.SERVICE_UNAVAILABLE,
              "The store behind this gateway did not answer ("
                  + failure.getMessage()
                  + "): try again.",
              Optional.of(RETRY));
      case Throwable bug -> {
        LOG.error("request {} failed inside the gateway", exchange.requestId(), bug);
        yield new S3Exception(
            S3Error.INTERNAL_ERROR,
            "The gateway failed; its log has the reason under request id "
                + exchange.requestId()
                + ".");
      }
    };
  }
}
