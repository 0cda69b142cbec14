package io.penstock.gateway.access;

import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.exchange.AuthorizeStage;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.route.Reply;
import io.penstock.gateway.s3.S3Action;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Operation;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Serves access points, and hands requests for all other buckets to the next route. What an access
 * point cannot do is refused here: nothing is ever written through it.
 *
 * <p>Threading: one instance per event loop.
 */
public final class AccessPointRoute implements Route {
  private final AccessPoints points;
  private final FeatureReads reads;
  private final FeatureListing listing;
  private final StoreSide store;
  private final Route next;

  /** The store on this event loop, and where to compute. */
  public record Parts(
      ObjectReader objects,
      UpstreamChannel store,
      Optional<ReadCache> cache,
      MemoryBudget memory,
      Executor codec,
      Executor loop,
      LongSupplier maxDocument) {}

  /** Access points in front of {@code next}. */
  public AccessPointRoute(AccessPoints points, Parts parts, Route next) {
    this.points = points;
    this.next = next;
    this.store = new StoreSide(parts.objects(), parts.store());
    FeatureMaker maker = new FeatureMaker(points, parts.memory(), parts.codec(), parts.loop());
    this.reads =
        new FeatureReads(
            store, maker, new FeatureCache(parts.cache(), parts.loop(), points::found));
    this.listing = new FeatureListing(store, maker, parts.maxDocument());
  }

  @Override
  public Future<Void> handle(Exchange exchange) {
    S3Operation operation = exchange.request().operation();
    if (operation instanceof S3Operation.Copy copy
        && points.find(copy.source().bucket()).isPresent()) {
      throw new S3Exception(
          S3Error.NOT_IMPLEMENTED,
          "Features are not copied by the gateway: GET them from the access point and PUT them.");
    }
    return points
        .find(exchange.request().target().bucket())
        .map(point -> serve(exchange, point))
        .orElseGet(() -> next.handle(exchange));
  }

  private Future<Void> serve(Exchange exchange, AccessPointConfig point) {
    S3Operation operation = exchange.request().operation();
    S3Target asked = exchange.request().target();
    S3Target behind = new S3Target(point.bucket(), asked.key(), asked.query());
    return switch (operation) {
      case S3Operation.GetObject _, S3Operation.HeadObject _ -> {
        AuthorizeStage.require(exchange, operation.needs(behind));
        yield reads.serve(exchange, point);
      }
      case S3Operation.Plain(var action, _, _) when isListing(action) -> {
        AuthorizeStage.require(exchange, operation.needs(behind));
        yield listing.serve(exchange, point);
      }
      case S3Operation.Plain(var action, _, _)
          when action == S3Action.HEAD_BUCKET || action == S3Action.GET_BUCKET_LOCATION -> {
        AuthorizeStage.require(exchange, operation.needs(behind));
        yield store.send(exchange, behind).compose(answer -> Reply.pass(exchange, answer));
      }
      default ->
          throw new S3Exception(
              S3Error.METHOD_NOT_ALLOWED,
              "%s is an access point: its objects are computed from those of %s and can be read and listed, nothing else."
                  .formatted(point.name(), point.bucket()));
    };
  }

  private static boolean isListing(S3Action action) {
    return action == S3Action.LIST_OBJECTS_V2 || action == S3Action.LIST_OBJECTS;
  }
}
