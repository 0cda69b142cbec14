package io.penstock.loadtest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.penstock.loadtest.content.Content;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The static store, asked by somebody else's client. */
class StaticStoreIT {
  private static StaticStore store;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    store = new StaticStore("127.0.0.1", 0, 1, Knobs.FAST);
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
    store.close();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + store.port() + path));
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static boolean isContent(byte[] body, int n, long offset) {
    return Content.matches(Unpooled.wrappedBuffer(body), n, offset);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "4096", "102400", "1000003", "5000000"})
  void aWholeObject(long size) throws Exception {
    HttpResponse<byte[]> got = send(request("/bucket/" + size + "-7"));
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.body()).hasSize((int) size);
    assertThat(isContent(got.body(), 7, 0)).isTrue();
    assertThat(got.headers().firstValue("etag").orElseThrow()).matches("\"[0-9a-f]{32}\"");
    assertThat(got.headers().firstValue("last-modified")).contains(ObjectRules.MODIFIED);
    assertThat(got.headers().firstValue("accept-ranges")).contains("bytes");
  }

  @Test
  void headHasTheSameHeadersAndNoBody() throws Exception {
    HttpResponse<byte[]> got =
        send(request("/bucket/4096-1").method("HEAD", BodyPublishers.noBody()));
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.headers().firstValue("content-length")).contains("4096");
    assertThat(got.body()).isEmpty();
    assertThat(send(request("/bucket/nope").method("HEAD", BodyPublishers.noBody())).statusCode())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 206, 0, 1",
    "bytes=10-19, 206, 10, 10",
    "bytes=9990-, 206, 9990, 10",
    "bytes=-10, 206, 9990, 10",
    "bytes=-20000, 206, 0, 10000",
    "bytes=9999-20000, 206, 9999, 1",
    "bytes=10000-, 416, 0, 0",
    "bytes=-0, 416, 0, 0",
    "bytes=5-2, 200, 0, 10000",
    "bytes=a-b, 200, 0, 10000",
    "items=0-1, 200, 0, 10000",
    "'bytes=0-1,4-5', 200, 0, 10000"
  })
  void ranges(String range, int status, long first, int length) throws Exception {
    HttpResponse<byte[]> got = send(request("/bucket/10000-2").header("Range", range));
    assertThat(got.statusCode()).isEqualTo(status);
    switch (status) {
      case 206 -> {
        assertThat(got.headers().firstValue("content-range"))
            .contains("bytes " + first + "-" + (first + length - 1) + "/10000");
        assertThat(got.body()).hasSize(length);
        assertThat(isContent(got.body(), 2, first)).isTrue();
      }
      case 416 -> assertThat(got.headers().firstValue("content-range")).contains("bytes */10000");
      default -> assertThat(got.body()).hasSize(length);
    }
  }

  @Test
  void anEmptyObjectHasNoRange() throws Exception {
    assertThat(send(request("/bucket/0-0").header("Range", "bytes=0-0")).statusCode())
        .isEqualTo(416);
  }

  @Test
  void conditions() throws Exception {
    String etag = send(request("/b/100-1")).headers().firstValue("etag").orElseThrow();
    assertThat(send(request("/b/100-1").header("If-Match", etag)).statusCode()).isEqualTo(200);
    assertThat(send(request("/b/100-1").header("If-Match", "*")).statusCode()).isEqualTo(200);
    assertThat(send(request("/b/100-1").header("If-Match", "\"x\", " + etag)).statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> changed = send(request("/b/100-1").header("If-Match", "\"other\""));
    assertThat(changed.statusCode()).isEqualTo(412);
    assertThat(new String(changed.body(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("<Code>PreconditionFailed</Code>");
    assertThat(send(request("/b/100-1").header("If-None-Match", etag)).statusCode()).isEqualTo(304);
    assertThat(send(request("/b/100-1").header("If-None-Match", "\"other\"")).statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> part =
        send(request("/b/100-1").header("If-Match", etag).header("Range", "bytes=90-"));
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).hasSize(10);
  }

  @Test
  void putsAreDrainedAndTheConnectionStaysUsable() throws Exception {
    for (int size : new int[] {0, 1, 3_000_000}) {
      HttpResponse<byte[]> put =
          send(
              request("/b/" + size + "-0")
                  .PUT(BodyPublishers.ofByteArray(new byte[size]))
                  .expectContinue(size > 1));
      assertThat(put.statusCode()).isEqualTo(200);
      assertThat(put.headers().firstValue("etag"))
          .isEqualTo(send(request("/b/" + size + "-0")).headers().firstValue("etag"));
    }
  }

  @Test
  void aBodyWithoutALengthIsRefused() throws Exception {
    HttpResponse<byte[]> put =
        send(
            request("/b/1-1")
                .PUT(BodyPublishers.fromPublisher(BodyPublishers.ofString("of unknown length"))));
    assertThat(put.statusCode()).isEqualTo(411);
  }

  @Test
  void aRefusedBodyThatArrivesLateDoesNotTakeTheAnswerWithIt() throws Exception {
    try (var client = new java.net.Socket("127.0.0.1", store.port())) {
      client.setSoTimeout(10_000);
      var out = client.getOutputStream();
      out.write(ascii("PUT /b/1-1 HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n"));
      var in = client.getInputStream();
      int first = in.read(); // the store has answered, and only now the body comes
      for (int i = 0; i < 64; i++) {
        out.write(ascii("1000\r\n" + "x".repeat(4096) + "\r\n"));
      }
      String rest = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
      assertThat((char) first + rest).startsWith("HTTP/1.1 411 ").endsWith("</Error>");
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  @Test
  void listsAThousandObjectsThatExist() throws Exception {
    HttpResponse<byte[]> got = send(request("/bucket?list-type=2"));
    String xml = new String(got.body(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(xml).contains("<KeyCount>1000</KeyCount>", "<Key>102400-999</Key>");
    assertThat(send(request("/bucket/102400-999")).statusCode()).isEqualTo(200);
  }

  @Test
  void whatDoesNotExistIsA404() throws Exception {
    assertThat(send(request("/bucket/no-such-key")).statusCode()).isEqualTo(404);
  }

  @Test
  void theKnobsSlowItDown() throws Exception {
    var knobs = new Knobs(Duration.ofMillis(30), 10_000_000, 1, Duration.ofMillis(50), 1);
    try (var slow = new StaticStore("127.0.0.1", 0, 1, knobs)) {
      URI object = URI.create("http://127.0.0.1:" + slow.port() + "/b/1000000-1");
      long start = System.nanoTime();
      byte[] body =
          http.send(HttpRequest.newBuilder(object).build(), BodyHandlers.ofByteArray()).body();
      double millis = (System.nanoTime() - start) / 1e6;
      assertThat(isContent(body, 1, 0)).isTrue();
      // 80 ms before the first byte, 100 ms for 1 MB at 10 MB/s less one burst: never faster
      assertThat(millis).isGreaterThan(170);
      assertThat(slow.counters()).isEqualTo(new StoreCounters.Snapshot(1, 1_000_000, 0, 1));
    }
  }
}
