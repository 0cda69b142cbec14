package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.FaultyStore.Script;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.StreamResetException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main faults again over HTTP/2, where one stream fails and its connection lives on. */
@ExtendWith(LeakWatch.class)
class Http2IT {
  private static final byte[] OBJECT = Lab.bytes(300_000);
  private Vertx vertx;
  private HttpClient client;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(1));
  }

  @AfterEach
  void stop() {
    Stack.await(vertx.close());
  }

  private HttpClientRequest open(URI gateway, RawRequest request) {
    HttpClientRequest stream =
        Stack.await(
            client.request(
                HttpMethod.valueOf(request.method()),
                gateway.getPort(),
                gateway.getHost(),
                request.target()));
    for (String line : request.head().split("\r\n")) {
      int colon = line.indexOf(": ");
      if (colon > 0 && !line.toLowerCase(Locale.ROOT).startsWith("host:")) {
        stream.putHeader(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
      }
    }
    return stream;
  }

  /** An answer with its whole body. */
  private record Whole(int status, MultiMap fields, byte[] body) {}

  /** Listens to the body at once: what arrives before anybody listens is lost. */
  private static Future<Whole> whole(Future<HttpClientResponse> answer) {
    return answer.compose(
        head ->
            head.body().map(body -> new Whole(head.statusCode(), head.headers(), body.getBytes())));
  }

  private Future<Whole> ask(URI gateway, RawRequest request) {
    HttpClientRequest stream = open(gateway, request);
    // before anything is sent: a fast answer must find its listener
    Future<Whole> answer = whole(stream.response());
    stream.send(Buffer.buffer(request.body()));
    return answer;
  }

  private static Future<Whole> send(HttpClientRequest stream) {
    Future<Whole> answer = whole(stream.response());
    stream.send();
    return answer;
  }

  private Whole answer(URI gateway, RawRequest request) {
    return Stack.await(ask(gateway, request));
  }

  private byte[] get(Lab lab, String target) {
    Whole answer = answer(lab.stack().s3(), lab.call("GET", target).sign());
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  private static void isS3Error(Whole answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("<Code>" + code + "</Code>")
        .contains("<RequestId>" + answer.fields().get("x-amz-request-id") + "</RequestId>");
  }

  @Test
  void anOriginThatDiesIsResumedAndOneThatCannotBeResetsTheStream() throws Exception {
    Script dies =
        peer -> {
          String head = peer.readRequest();
          if (head == null) {
            return;
          }
          boolean known = head.startsWith("GET /b/known ");
          if (head.toLowerCase().contains("\r\nrange: ")) {
            int from = Integer.parseInt(head.replaceAll("(?s).*[Rr]ange: bytes=([0-9]+)-.*", "$1"));
            byte[] rest = Arrays.copyOfRange(OBJECT, from, OBJECT.length);
            peer.send(
                Lab.response(
                    "206 Partial Content",
                    Map.of("ETag", "\"v1\"", "Content-Range", "bytes " + from + "-299999/300000"),
                    rest));
          } else {
            Map<String, String> fields = known ? Map.of("ETag", "\"v1\"") : Map.of();
            peer.send(
                Lab.concat(
                    Lab.head("200 OK", fields, OBJECT.length), Arrays.copyOf(OBJECT, 100_000)));
          }
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", dies)) {
      assertThat(get(lab, "/b/known")).isEqualTo(OBJECT);
      assertThat(failure(ask(lab.stack().s3(), lab.call("GET", "/b/unknown").sign()))).isNotNull();
      // the connection is not the stream
      assertThat(get(lab, "/b/known")).isEqualTo(OBJECT);
    }
  }

  private static Throwable failure(Future<?> future) throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    future.onComplete(done -> failure.complete(done.cause()));
    return failure.get(Gate.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aStreamThatIsResetEndsItsCallAtTheStore() throws Exception {
    Gate begun = new Gate();
    Gate ended = new Gate();
    Script silent =
        peer -> {
          String head = peer.readRequest();
          if (head != null && head.startsWith("GET /b/silent ")) {
            begun.open();
            peer.awaitEnd();
            ended.open();
          } else if (head != null) {
            peer.send(FaultyStore.ok("good"));
            peer.awaitEnd();
          }
        };
    try (Lab lab = Lab.of(silent)) {
      HttpClientRequest stream = open(lab.stack().s3(), lab.call("GET", "/b/silent").sign());
      stream.response().onFailure(_ -> {});
      Stack.await(stream.end());
      begun.await();
      stream.reset();
      ended.await();
      lab.probe().awaitMetric(0, "penstock_requests_in_flight");
      assertThat(get(lab, "/b/other")).isEqualTo("good".getBytes());
    }
  }

  @Test
  void anUploadThatIsResetIsNeverCompleted() throws Exception {
    Gate begun = new Gate();
    CompletableFuture<Integer> arrived = new CompletableFuture<>();
    Script takes =
        peer -> {
          peer.readHead();
          begun.open();
          int bytes = 0;
          try {
            while (peer.read(1).length > 0) {
              bytes++;
            }
          } finally {
            arrived.complete(bytes);
          }
        };
    try (Lab lab = Lab.of(takes)) {
      HttpClientRequest stream =
          open(lab.stack().s3(), lab.call("PUT", "/b/k").body(OBJECT).sign());
      stream.response().onFailure(_ -> {});
      Stack.await(stream.write(Buffer.buffer(Arrays.copyOf(OBJECT, 10_000))));
      begun.await();
      stream.reset();
      assertThat(arrived.get(Gate.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isLessThan(OBJECT.length);
      lab.probe().awaitMetric(0, "penstock_requests_in_flight");
    }
  }

  @Test
  void badUploadsAreRefusedAndStoreNothing() throws Exception {
    try (RealLab lab = RealLab.start("")) {
      URI gateway = lab.stack().s3();
      for (BadUpload upload : BadUpload.all()) {
        if (!upload.isCut()) {
          Whole answer = answer(gateway, upload.to(gateway, "/bkt/new"));
          assertThat(answer.status()).isBetween(400, 499);
          isS3Error(answer, answer.status(), upload.code());
        }
      }
      lab.probe().awaitMetric(0, "penstock_requests_in_flight");
      assertThat(lab.direct().listObjectsV2(r -> r.bucket("bkt")).contents()).isEmpty();
      RawRequest good = lab.call("PUT", "/bkt/new").body(OBJECT).signedChunks().sign();
      assertThat(answer(gateway, good).status()).isEqualTo(200);
      assertThat(lab.stored("new")).isEqualTo(OBJECT);
      Whole head = answer(gateway, lab.call("HEAD", "/bkt/new").sign());
      assertThat(head.fields().get("content-length")).isEqualTo("300000");
      isS3Error(
          answer(gateway, lab.call("GET", "/bkt/new").secret("wrong").sign()),
          403,
          "SignatureDoesNotMatch");
    }
  }

  @Test
  void aBodyThatStopsComingIsARequestTimeout() throws Exception {
    String impatient =
        "listen: {s3: {port: 0, http2-clear-text: true, read-timeout: 200ms}, admin: {port: 0}}\n";
    try (Lab lab =
        Lab.configured("pool: {}", impatient, FaultyStore.always(FaultyStore.ok("good")))) {
      HttpClientRequest stream =
          open(lab.stack().s3(), lab.call("PUT", "/b/k").body(OBJECT).sign());
      Future<Whole> answer = whole(stream.response());
      Stack.await(stream.write(Buffer.buffer(Arrays.copyOf(OBJECT, 10_000))));
      isS3Error(Stack.await(answer), 400, "RequestTimeout");
      assertThat(get(lab, "/b/other")).isEqualTo("good".getBytes());
    }
  }

  @Test
  void aHostBesideTheAuthorityMustSayTheSame() throws Exception {
    try (Lab lab = Lab.of(FaultyStore.always(FaultyStore.ok("good")))) {
      URI gateway = lab.stack().s3();
      RawRequest get = lab.call("GET", "/b/k").sign();
      HttpClientRequest same = open(gateway, get).putHeader("host", gateway.getAuthority());
      assertThat(Stack.await(send(same)).status()).isEqualTo(200);
      HttpClientRequest other = open(gateway, get).putHeader("host", "elsewhere");
      assertThat(failure(send(other))).isInstanceOf(StreamResetException.class);
      assertThat(lab.store().requests()).hasSize(1);
    }
  }

  @Test
  void slowDownPassesWithItsTime() throws Exception {
    Script slow =
        FaultyStore.always("HTTP/1.1 503 Slow Down\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n");
    try (Lab lab = Lab.configured(Lab.QUICK, "", slow)) {
      Whole answer = answer(lab.stack().s3(), lab.call("GET", "/b/k").sign());
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.fields().get("retry-after")).isEqualTo("7");
      assertThat(lab.store().requests()).hasSize(1);
    }
  }
}
