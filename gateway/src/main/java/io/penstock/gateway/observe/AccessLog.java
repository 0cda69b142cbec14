package io.penstock.gateway.observe;

import io.penstock.config.LogConfig.Access;
import io.penstock.gateway.exchange.Exchange;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON line for each request on the logger {@code access}: who, what, from where, how it ended
 * and how long it took. Field values never appear (they may hold secrets), and the query's
 * signature parts are masked.
 *
 * <p>Threading: safe from every thread.
 */
public final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("access");
  private static final Pattern SECRETS =
      Pattern.compile(
          "(?i)((?:^|[?&])(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid)=)[^&]*");

  private final InstantSource clock;
  private final Supplier<Access> which;

  public AccessLog(InstantSource clock, Supplier<Access> which) {
    this.clock = clock;
    this.which = which;
  }

  public void write(Exchange exchange, long endNanos) {
    boolean wanted =
        switch (which.get()) {
          case ALL -> true;
          case ERRORS -> exchange.status() >= 400 || exchange.cancellation().isCancelled();
          case NONE -> false;
        };
    if (wanted && LOG.isInfoEnabled()) {
      LOG.info(line(exchange, endNanos));
    }
  }

  String line(Exchange exchange, long endNanos) {
    var response = exchange.response();
    var fields = exchange.head().fields();
    JsonLine line =
        new JsonLine()
            .put("time", clock.instant())
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
            .put("user-agent", fields.get("user-agent").orElse(""));
    if (fields.has("x-forwarded-for")) {
      forwardedFor(fields.all("x-forwarded-for"), line);
    }
    return line.end();
  }

  /**
   * The address chain is only what the client or a proxy in front claims; it is logged beside the
   * real peer.
   */
  private static void forwardedFor(List<String> chain, JsonLine line) {
    line.put("forwarded-for", String.join(", ", chain));
  }

  /** The target with everything masked that could be used to repeat a signed request. */
  static String redact(String target) {
    return target.indexOf('?') < 0 ? target : SECRETS.matcher(target).replaceAll("$1***");
  }

  private static long micros(long from, long to) {
    return to == 0 ? -1 : (to - from) / 1_000;
  }
}
