package io.penstock.gateway.upstream;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.upstream.wire.Endpoint;
import io.vertx.core.Future;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the store when it says that a bucket lives in another region or at another endpoint: the
 * call goes out again, signed for that region, but only ever to an endpoint of the configuration.
 * Any other redirect is passed on without its Location, because a client that follows it leaves the
 * gateway. What was learned holds for later calls too.
 *
 * <p>Threading: confined to one event loop.
 */
final class RegionChannel implements UpstreamChannel {
  private static final Pattern REGION_NAME = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern WRONG_REGION =
      Pattern.compile(
          "<Code>AuthorizationHeaderMalformed</Code>.*<Region>([A-Za-z0-9-]{1,64})</Region>",
          Pattern.DOTALL);

  private final List<Endpoint> configured;
  private final BucketHomes homes;
  private final UpstreamChannel next;

  RegionChannel(List<Endpoint> configured, BucketHomes homes, UpstreamChannel next) {
    this.configured = List.copyOf(configured);
    this.homes = homes;
    this.next = next;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    return next.send(request).compose(response -> follow(request, response));
  }

  private Future<UpstreamResponse> follow(UpstreamRequest request, UpstreamResponse response) {
    return switch (response.head().status()) {
      case 301, 302, 307, 308 -> redirected(request, response);
      case 400 -> refused(request, response);
      default -> Future.succeededFuture(response);
    };
  }

  private Future<UpstreamResponse> redirected(UpstreamRequest request, UpstreamResponse response) {
    HttpFields fields = response.head().fields();
    Optional<Endpoint> endpoint = fields.get("location").flatMap(this::configuredEndpoint);
    if (moved(request, fields.get("x-amz-bucket-region"), endpoint)) {
      return again(request, response);
    }
    ResponseHead head =
        new ResponseHead(
            response.head().status(), fields.without(name -> name.equalsIgnoreCase("location")));
    return Future.succeededFuture(new UpstreamResponse(head, response.body()));
  }

  private Future<UpstreamResponse> refused(UpstreamRequest request, UpstreamResponse response) {
    Optional<String> region = response.head().fields().get("x-amz-bucket-region");
    if (moved(request, region, Optional.empty())) {
      return again(request, response);
    }
    long length = response.body().length();
    if (region.isPresent()
        || length > SmallBody.MOST
        || length == 0
        || request.target().isService()) {
      return Future.succeededFuture(response);
    }
    return SmallBody.read(response.body()).compose(body -> refused(request, response.head(), body));
  }

  private Future<UpstreamResponse> refused(
      UpstreamRequest request, ResponseHead head, Optional<byte[]> body) {
    if (body.isEmpty()) {
      return Future.failedFuture(
          new UpstreamFailure.Broken("the store's error answer was cut short", true));
    }
    UpstreamResponse whole = new UpstreamResponse(head, SmallBody.of(body.get()));
    Matcher wrong = WRONG_REGION.matcher(new String(body.get(), StandardCharsets.UTF_8));
    if (wrong.find() && moved(request, Optional.of(wrong.group(1)), Optional.empty())) {
      return again(request, whole);
    }
    return Future.succeededFuture(whole);
  }

  /** Whether the answer names a home of the bucket that was not known before. */
  private boolean moved(
      UpstreamRequest request, Optional<String> region, Optional<Endpoint> endpoint) {
    if (request.target().isService()) {
      return false;
    }
    String bucket = request.target().bucket();
    BucketHomes.Home known = homes.of(bucket);
    String newRegion =
        region.filter(name -> REGION_NAME.matcher(name).matches()).orElse(known.region());
    return homes.learn(bucket, new BucketHomes.Home(newRegion, endpoint.or(known::endpoint)));
  }

  private Future<UpstreamResponse> again(UpstreamRequest request, UpstreamResponse response) {
    SmallBody.discard(response.body());
    if (request.body() instanceof UpstreamBody.Streaming) {
      return Future.failedFuture(
          new UpstreamFailure.Broken(
              "the store moved the bucket while the body was under way; send the request again",
              true));
    }
    return next.send(request);
  }

  private Optional<Endpoint> configuredEndpoint(String location) {
    try {
      Endpoint named = Endpoint.of(URI.create(location));
      return configured.stream()
          .filter(ours -> ours.tls() == named.tls() && ours.port() == named.port())
          .filter(
              ours ->
                  named.host().equalsIgnoreCase(ours.host())
                      || named.host().toLowerCase(Locale.ROOT).endsWith("." + ours.host()))
          .findFirst();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "Region(" + next + ")";
  }
}
