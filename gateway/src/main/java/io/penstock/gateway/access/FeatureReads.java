package io.penstock.gateway.access;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.arrow.wire.SampleFile;
import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.route.Reply;
import io.penstock.gateway.s3.ByteRange;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.Locale;

/**
 * GET and HEAD of objects that are features. What can be said without computing is: the ETag comes
 * from that of the object behind, the length from the model, so HEAD, conditions and ranges beyond
 * the end cost the store one HEAD.
 *
 * <p>Threading: the event loop.
 */
final class FeatureReads {
  private final StoreSide store;
  private final FeatureMaker maker;
  private final FeatureCache cache;

  FeatureReads(StoreSide store, FeatureMaker maker, FeatureCache cache) {
    this.store = store;
    this.maker = maker;
    this.cache = cache;
  }

  Future<Void> serve(Exchange exchange, AccessPointConfig point) {
    refuseWhatFeaturesLack(exchange);
    return maker
        .describe(point)
        .compose(
            object ->
                exchange.head().method().equals("HEAD")
                    ? headOnly(exchange, object)
                    : get(exchange, object));
  }

  private static void refuseWhatFeaturesLack(Exchange exchange) {
    for (Query.Parameter parameter : exchange.request().target().query().parameters()) {
      boolean known = parameter.name().equals("versionId") || parameter.name().equals("x-id");
      if (!known) {
        throw new S3Exception(
            S3Error.NOT_IMPLEMENTED,
            "Objects of an access point are read without %s: leave it out."
                .formatted(parameter.name()));
      }
    }
    HttpFields fields = exchange.head().fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).toLowerCase(Locale.ROOT).startsWith("x-amz-server-side-encryption")) {
        throw new S3Exception(
            S3Error.NOT_IMPLEMENTED,
            "Objects that only their reader's key opens are not computed on: read them from their bucket.");
      }
    }
  }

  private Future<Void> headOnly(Exchange exchange, FeatureObject object) {
    return store
        .head(exchange, object.point())
        .compose(
            behind -> {
              if (behind.head().status() != 200) {
                return Reply.pass(exchange, behind);
              }
              behind.body().start(Relay.IGNORE);
              Answer answer = Answer.of(exchange, object, behind.head());
              Reply.head(exchange, answer.head());
              return exchange.response().end();
            });
  }

  private Future<Void> get(Exchange exchange, FeatureObject object) {
    boolean conditional =
        exchange.head().fields().has("if-none-match") || exchange.head().fields().has("if-match");
    return conditional || cache.mayHave(exchange, object)
        ? headFirst(exchange, object)
        : fetched(exchange, object);
  }

  /**
   * Most conditions are asked with what is still true, and most of what was computed is of what is
   * still there: then nothing is read.
   */
  private Future<Void> headFirst(Exchange exchange, FeatureObject object) {
    return store
        .head(exchange, object.point())
        .compose(
            behind -> {
              behind.body().start(Relay.IGNORE);
              if (behind.head().status() != 200) {
                return fetched(exchange, object);
              }
              Answer answer = Answer.of(exchange, object, behind.head());
              if (answer.isNotModified()) {
                Reply.head(exchange, answer.head());
                return exchange.response().end();
              }
              return cache
                  .find(exchange, object, behind.head())
                  .compose(
                      sample ->
                          sample.isPresent()
                              ? send(exchange, answer, sample.get())
                              : fetched(exchange, object));
            });
  }

  private Future<Void> fetched(Exchange exchange, FeatureObject object) {
    return store
        .get(exchange, object.point())
        .compose(
            behind ->
                behind.head().status() == 200
                    ? made(exchange, object, behind)
                    : Reply.pass(exchange, behind));
  }

  private Future<Void> made(Exchange exchange, FeatureObject object, UpstreamResponse behind) {
    Answer answer;
    try {
      answer = Answer.of(exchange, object, behind.head());
    } catch (S3Exception refused) {
      behind.body().cancel();
      return Future.failedFuture(refused);
    }
    if (answer.isNotModified()) {
      behind.body().cancel();
      Reply.head(exchange, answer.head());
      return exchange.response().end();
    }
    return maker
        .make(
            exchange,
            object,
            behind.body(),
            made -> cache.keep(exchange, object, behind.head(), made))
        .compose(
            sample -> send(exchange, answer, sample.content()).onComplete(_ -> sample.close()));
  }

  /** Takes {@code sample} over. */
  private static Future<Void> send(Exchange exchange, Answer answer, ByteBuf sample) {
    if (exchange.cancellation().isCancelled()) {
      sample.release();
      return Future.failedFuture(new Relay.ClientGone());
    }
    SampleFile file = answer.object().file();
    CompositeByteBuf whole = Unpooled.compositeBuffer(3);
    whole.addComponent(true, Unpooled.wrappedBuffer(file.before()));
    whole.addComponent(true, sample);
    whole.addComponent(true, Unpooled.wrappedBuffer(file.after()));
    ByteBuf part =
        whole.retainedSlice((int) answer.first(), (int) (answer.last() - answer.first() + 1));
    whole.release();
    Reply.head(exchange, answer.head());
    return exchange.response().end(part);
  }

  /**
   * What is answered, once the object behind is known.
   *
   * @param first first byte of the body
   * @param last last byte of the body
   */
  private record Answer(FeatureObject object, ResponseHead head, long first, long last) {

    /**
     * Decides.
     *
     * @throws S3Exception PreconditionFailed, InvalidRange
     */
    static Answer of(Exchange exchange, FeatureObject object, ResponseHead behind) {
      HttpFields asked = exchange.head().fields();
      HttpFields fields = object.fields(behind);
      String etag = fields.get("etag").orElseThrow();
      return switch (Preconditions.of(asked, etag, behind.fields().get("last-modified"))) {
        case NOT_MODIFIED -> new Answer(object, new ResponseHead(304, fields), 0, -1);
        case FAILED ->
            throw new S3Exception(
                S3Error.PRECONDITION_FAILED,
                "At least one of the pre-conditions you specified did not hold.");
        case GO_ON -> {
          ByteRange range =
              Preconditions.rangeHolds(asked, etag) ? ByteRange.of(asked) : new ByteRange.All();
          yield part(object, fields, range.resolve(object.file().length()));
        }
      };
    }

    private static Answer part(FeatureObject object, HttpFields fields, ByteRange.Extent extent) {
      long length = object.file().length();
      return switch (extent) {
        case ByteRange.Whole() ->
            new Answer(
                object,
                new ResponseHead(200, fields.with("content-length", Long.toString(length))),
                0,
                length - 1);
        case ByteRange.Part part -> {
          HttpFields.Builder ranged = fields.toBuilder();
          ranged.set("content-length", Long.toString(part.length()));
          ranged.set(
              "content-range", "bytes %d-%d/%d".formatted(part.first(), part.last(), length));
          yield new Answer(
              object, new ResponseHead(206, ranged.build()), part.first(), part.last());
        }
        case ByteRange.Unsatisfiable() ->
            throw new S3Exception(
                S3Error.INVALID_RANGE,
                "The requested range is not satisfiable: these features have %d bytes."
                    .formatted(length));
      };
    }

    boolean isNotModified() {
      return head.status() == 304;
    }
  }
}
