package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.plan.Operation;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.sign.RequestSigner;
import io.penstock.loadtest.sign.RequestSigner.Unsigned;
import io.penstock.loadtest.sign.SignedBody;
import io.penstock.loadtest.sign.SignedBody.Body;
import io.penstock.loadtest.wire.Ascii;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every request of a run, signed once and laid out as bytes. Signatures older than ten minutes are
 * made anew (a server refuses them after fifteen).
 *
 * <p>Threading: any; a request may be signed twice when two threads ask at once.
 */
final class RequestBook {
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final int EAGER = 20_000;

  private final Scenario scenario;
  private final Target target;
  private final InstantSource clock;
  private final RequestSigner signer;
  private final Map<Long, SignedBody> bodies = new HashMap<>();
  private final Map<Entry, Page> pages = new ConcurrentHashMap<>();

  private record Entry(Operation operation, long size, int n) {}

  private record Page(Request request, long signedAtMillis) {}

  RequestBook(Scenario scenario, Target target, InstantSource clock) {
    this.scenario = scenario;
    this.target = target;
    this.clock = clock;
    this.signer = new RequestSigner(target.keys());
    if (scenario.operations().contains(Operation.PUT)) {
      for (long size : scenario.objects().sizes().values()) {
        // the content of object 0 under every key: hashing a body per key would take minutes
        bodies.put(size, new SignedBody(scenario.objects().payload(), size, 0));
      }
    }
    signAhead();
  }

  private void signAhead() {
    for (Operation operation : scenario.operations()) {
      for (long size : scenario.objects().sizes().values()) {
        for (int n = 0; n < Math.min(EAGER, scenario.objects().count()); n++) {
          request(operation, size, n);
        }
      }
    }
  }

  /** The request for object {@code n} of {@code size} bytes. */
  Request request(Operation operation, long size, int n) {
    Entry entry =
        operation == Operation.LIST ? new Entry(operation, 0, 0) : new Entry(operation, size, n);
    long now = clock.millis();
    Page page = pages.get(entry);
    if (page == null || now - page.signedAtMillis() > FRESH.toMillis()) {
      page = new Page(sign(entry), now);
      pages.put(entry, page);
    }
    return page.request();
  }

  private Request sign(Entry entry) {
    String bucket = "/" + scenario.objects().bucket();
    String key = Scenario.Objects.key(entry.size(), entry.n());
    return switch (entry.operation()) {
      case GET, RANGED -> bodyless(entry, bucket + "/" + key, "");
      case LIST -> bodyless(entry, bucket, "list-type=2&max-keys=1000");
      case PUT -> put(entry, bucket + "/" + key);
    };
  }

  private Request bodyless(Entry entry, String path, String query) {
    var unsigned = new Unsigned("GET", path, query, host(), RequestSigner.UNSIGNED_PAYLOAD);
    Map<String, String> headers = signer.sign(unsigned, clock.instant()).headers();
    return laidOut(entry, unsigned, headers, Body.NONE);
  }

  private Request put(Entry entry, String path) {
    SignedBody body = bodies.get(entry.size());
    if (body == null) {
      throw new IllegalStateException("no body of " + entry.size() + " bytes was prepared");
    }
    var headers = new TreeMap<>(body.headers());
    headers.putAll(host());
    var unsigned = new Unsigned("PUT", path, "", headers, body.payloadHash());
    RequestSigner.Signed signed = signer.sign(unsigned, clock.instant());
    Body framed = body.framed(signed.chunks());
    var all = new TreeMap<>(signed.headers());
    all.put("content-length", Long.toString(framed.length()));
    return laidOut(entry, unsigned, all, framed);
  }

  private Map<String, String> host() {
    return Map.of("host", target.authority());
  }

  private static Request laidOut(
      Entry entry, Unsigned unsigned, Map<String, String> headers, Body body) {
    String line =
        unsigned.query().isEmpty() ? unsigned.path() : unsigned.path() + "?" + unsigned.query();
    var text =
        new StringBuilder(unsigned.method()).append(' ').append(line).append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    ByteBuf head = Ascii.constant(text.append("\r\n"));
    return new Request(
        entry.operation(), unsigned.method(), line, headers, head, body, entry.size(), entry.n());
  }
}
