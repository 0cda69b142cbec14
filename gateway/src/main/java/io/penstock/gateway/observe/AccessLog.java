package io.penstock.gateway.observe;

import io.penstock.gateway.exchange.Exchange;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON line for each request on the logger {@code access}: who, what, from where, how it ended
 * and how long it took. Field values never appear (they may hold secrets), and the query's
 * signature parts are masked.
 */
public final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("access");
  private static final Pattern SECRETS =
      Pattern.compile(
          "(?i)((?:^|[?&])(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid)=)[^&]*");

  private final InstantSource clock;

  public AccessLog(InstantSource clock) {
    this.clock = clock;
  }

  public void write(Exchange exchange, long endNanos) {
    if (LOG.isInfoEnabled()) {
      LOG.info("{}", line(exchange, endNanos));
    }
  }

  String line(Exchange exchange, long endNanos) {
    var response = exchange.response();
    JsonObject line =
        new JsonObject()
            .put("time", clock.instant().toString())
            .put("request-id", exchange.requestId())
            .put("remote", exchange.remoteAddress())
            .put("tenant", exchange.tenantName().orElse("-"))
            .put("operation", exchange.operationName().orElse("-"))
            .put("method", exchange.head().method())
            .put("target", redact(exchange.head().target()))
            .put("status", exchange.status())
            .put("code", exchange.errorCode())
            .put("bytes-in", exchange.body().bytesRead())
            .put("bytes-out", response.bytesWritten())
            .put("first-byte-us", micros(exchange.startNanos(), response.firstByteNanos()))
            .put("total-us", micros(exchange.startNanos(), endNanos))
            .put("user-agent", exchange.head().fields().get("user-agent").orElse(""));
    forwardedFor(exchange.head().fields().all("x-forwarded-for"), line);
    return line.encode();
  }

  /**
   * The address chain is only what the client or a proxy in front claims; it is logged beside the
   * real peer.
   */
  private static void forwardedFor(List<String> chain, JsonObject line) {
    if (!chain.isEmpty()) {
      line.put("forwarded-for", String.join(", ", chain));
    }
  }

  /** The target with everything masked that could be used to repeat a signed request. */
  static String redact(String target) {
    return target.indexOf('?') < 0 ? target : SECRETS.matcher(target).replaceAll("$1***");
  }

  private static long micros(long from, long to) {
    return to == 0 ? -1 : (to - from) / 1_000;
  }
}
