package io.penstock.gateway.route;

import io.penstock.gateway.exchange.AuthorizeStage;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.BodyKind;
import io.penstock.gateway.s3.ForwardedFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Operation;
import io.penstock.gateway.s3.S3Request;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.sigv4.PayloadClaim;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.vertx.core.Future;
import java.util.function.LongSupplier;

/**
 * Passes one operation to the store: the body decoded, checked and with a length, everything else
 * as the client said it.
 *
 * <p>Threading: one instance per event loop.
 */
public final class ForwardRoute implements Route {
  private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
  private final UpstreamChannel upstream;
  private final LongSupplier maxBody;
  private final LongSupplier maxDocument;

  /**
   * A route to this store.
   *
   * @param maxBody largest object or part, bytes
   * @param maxDocument largest body that is read whole, bytes
   */
  public ForwardRoute(UpstreamChannel upstream, LongSupplier maxBody, LongSupplier maxDocument) {
    this.upstream = upstream;
    this.maxBody = maxBody;
    this.maxDocument = maxDocument;
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    S3Request request = exchange.request();
    return body(exchange)
        .compose(body -> upstream.send(request(exchange, request, body)))
        .compose(answer -> Reply.pass(exchange, answer));
  }

  private Future<UpstreamBody> body(Exchange exchange) {
    boolean streamed = exchange.request().operation().body() == BodyKind.STREAM;
    if (exchange.request().operation() instanceof S3Operation.Preflight
        && exchange.body().present()) {
      return Future.failedFuture(
          new S3Exception(S3Error.INVALID_REQUEST, "A CORS preflight (OPTIONS) has no body."));
    }
    if (!exchange.body().present() && !streamed) {
      // a promised body that was cut away on its way must not pass as none
      return ClientDocument.read(exchange, maxDocument.getAsLong())
          .map(_ -> new UpstreamBody.None());
    }
    if (streamed && ClientDocument.sized(exchange)) {
      BodyStream body = ClientDocument.stream(exchange, maxBody.getAsLong());
      return Future.succeededFuture(new UpstreamBody.Streaming(body, body.length()));
    }
    // small documents, and uploads whose client gave no length: S3 needs one
    return ClientDocument.read(exchange, maxDocument.getAsLong())
        .map(
            bytes -> {
              authorizeContent(exchange, bytes);
              return new UpstreamBody.Replayable(bytes);
            });
  }

  private static void authorizeContent(Exchange exchange, byte[] document) {
    if (exchange.request().operation() instanceof S3Operation.DeleteObjects delete) {
      AuthorizeStage.require(
          exchange, delete.needs(exchange.request().target(), S3Xml.deleteKeys(document)));
    }
  }

  private UpstreamRequest request(Exchange exchange, S3Request request, UpstreamBody body) {
    return new UpstreamRequest(
        request.operation().name(),
        exchange.head().method(),
        request.target(),
        fields(exchange, body),
        body,
        payloadHash(exchange.payload(), body),
        request.operation().idempotent(),
        exchange.cancellation());
  }

  private static HttpFields fields(Exchange exchange, UpstreamBody body) {
    HttpFields fields = ForwardedFields.request(exchange.head(), exchange.request().operation());
    boolean needsMd5 =
        exchange.request().operation().body() == BodyKind.DOCUMENT && !fields.has("content-md5");
    // newer clients send another checksum instead, older stores insist on this one
    return needsMd5 && body instanceof UpstreamBody.Replayable(var bytes)
        ? fields.with("content-md5", Digests.md5(bytes))
        : fields;
  }

  private static String payloadHash(PayloadClaim claim, UpstreamBody body) {
    return switch (body) {
      case UpstreamBody.None _ -> Digests.EMPTY_SHA256;
      case UpstreamBody.Replayable(var bytes) -> Digests.sha256(bytes);
      case UpstreamBody.Streaming _ when claim instanceof PayloadClaim.Sha256(var hex) -> hex;
      case UpstreamBody.Streaming _ -> UNSIGNED;
    };
  }
}
