package io.penstock.gateway.app;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The status page and its two files. It loads nothing from elsewhere and shows text only; the
 * browser is told to hold it to that.
 *
 * <p>Threading: immutable.
 */
final class StatusPage {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private record Asset(String type, Buffer content) {}

  private final Map<String, Asset> assets =
      Map.of(
          "/status", load("status.html", "text/html; charset=utf-8"),
          "/status.css", load("status.css", "text/css; charset=utf-8"),
          "/status.js", load("status.js", "text/javascript; charset=utf-8"));

  boolean has(String path) {
    return assets.containsKey(path);
  }

  void reply(HttpServerRequest request) {
    Asset asset = assets.get(request.path());
    if (asset == null) {
      throw new IllegalArgumentException(request.path());
    }
    request
        .response()
        .putHeader("content-type", asset.type())
        .putHeader("content-security-policy", POLICY)
        .putHeader("x-content-type-options", "nosniff")
        .putHeader("referrer-policy", "no-referrer")
        .putHeader("cache-control", "no-cache")
        .end(asset.content());
  }

  private static Asset load(String name, String type) {
    try (InputStream file = StatusPage.class.getResourceAsStream("/status/" + name)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks status/" + name);
      }
      return new Asset(type, Buffer.buffer(file.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
