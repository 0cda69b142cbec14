package io.penstock.gateway.app;

import io.penstock.gateway.observe.Meters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.function.Supplier;

/**
 * The admin port: {@code /status}, {@code /health/live}, {@code /health/ready}, {@code /metrics},
 * {@code /runtime}. Liveness says only that an event loop answers; readiness says whether new
 * requests should come here. Neither asks the store.
 */
final class AdminRoutes {
  private final Lifecycle lifecycle;
  private final Meters meters;
  private final Supplier<JsonObject> runtime;
  private final Supplier<JsonObject> status;
  private final StatusPage page = new StatusPage();

  AdminRoutes(
      Lifecycle lifecycle,
      Meters meters,
      Supplier<JsonObject> runtime,
      Supplier<JsonObject> status) {
    this.lifecycle = lifecycle;
    this.meters = meters;
    this.runtime = runtime;
    this.status = status;
  }

  void handle(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      reply(request, 405, "text/plain", "Only GET is served here.\n");
      return;
    }
    switch (request.path()) {
      case "/health/live" -> reply(request, 200, "text/plain", "live\n");
      case "/health/ready" -> ready(request);
      case "/metrics" ->
          reply(request, 200, "text/plain; version=0.0.4; charset=utf-8", meters.scrape());
      case "/runtime" ->
          reply(request, 200, "application/json", runtime.get().encodePrettily() + "\n");
      case "/status.json" -> reply(request, 200, "application/json", status.get().encode());
      case "/" -> {
        request.response().putHeader("location", "/status");
        reply(request, 302, "text/plain", "/status\n");
      }
      case String path when page.has(path) -> page.reply(request);
      case null, default ->
          reply(
              request,
              404,
              "text/plain",
              "Here are /status /health/live /health/ready /metrics /runtime\n");
    }
  }

  private void ready(HttpServerRequest request) {
    Lifecycle.Phase phase = lifecycle.phase();
    boolean ready = phase == Lifecycle.Phase.SERVING;
    reply(
        request,
        ready ? 200 : 503,
        "text/plain",
        ready ? "ready\n" : phase.name().toLowerCase(java.util.Locale.ROOT) + "\n");
  }

  private static void reply(HttpServerRequest request, int status, String type, String text) {
    request.response().setStatusCode(status).putHeader("content-type", type).end(text);
  }
}
