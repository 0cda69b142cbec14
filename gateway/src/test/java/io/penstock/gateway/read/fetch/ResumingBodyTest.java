package io.penstock.gateway.read.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResumingBodyTest {
  private static final UpstreamFailure BROKEN = new UpstreamFailure.Broken("broken", true);

  private final List<UpstreamRequest> requests = new ArrayList<>();
  private final List<Promise<UpstreamResponse>> answers = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final Cancellation cancellation = new Cancellation();
  private final ObjectFetcher reader =
      new ObjectFetcher(
          request -> {
            requests.add(request);
            Promise<UpstreamResponse> answer = Promise.promise();
            answers.add(answer);
            return answer.future();
          },
          new UpstreamObserver() {
            @Override
            public void resumed(String operation) {
              events.add("resumed");
            }

            @Override
            public void truncated(String operation) {
              events.add("truncated");
            }
          });
  private final SinkProbe sink = new SinkProbe();

  private UpstreamRequest get(HttpFields fields, Query query) {
    return new UpstreamRequest(
        "GetObject",
        "GET",
        new S3Target("b", "k", query),
        fields,
        new UpstreamBody.None(),
        "UNSIGNED-PAYLOAD",
        true,
        cancellation);
  }

  private UpstreamResponse read(SteeredBody body, int status, String... fields) {
    return read(get(HttpFields.EMPTY, Query.EMPTY), body, status, fields);
  }

  private UpstreamResponse read(
      UpstreamRequest request, SteeredBody body, int status, String... fields) {
    Future<UpstreamResponse> answer = reader.fetch(request);
    answer(0, body, status, fields);
    return answer.result();
  }

  private void answer(int number, SteeredBody body, int status, String... fields) {
    answers
        .get(number)
        .complete(new UpstreamResponse(new ResponseHead(status, HttpFields.of(fields)), body));
  }

  private static void push(SteeredBody body, String text) {
    body.push(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void goesOnOverAnotherConnectionAsIfNothingHadHappened() throws Throwable {
    SteeredBody first = new SteeredBody(10);
    SteeredBody second = new SteeredBody(6);
    UpstreamResponse response =
        read(
            get(
                HttpFields.of("If-None-Match", "\"other\"", "x-amz-request-payer", "requester"),
                new Query(
                    List.of(
                        new Query.Parameter("versionId", "7"),
                        new Query.Parameter("partNumber", "1")))),
            first,
            200,
            "ETag",
            "\"v\"");
    assertThat(response.body().length()).isEqualTo(10);
    response.body().start(sink);
    push(first, "0123");
    first.fail(BROKEN);
    UpstreamRequest rest = requests.get(1);
    assertThat(rest.fields())
        .isEqualTo(
            HttpFields.of(
                "x-amz-request-payer", "requester", "range", "bytes=4-9", "if-match", "\"v\""));
    assertThat(rest.target().query().parameters())
        .containsExactly(new Query.Parameter("versionId", "7"));
    answer(1, second, 206, "etag", "\"v\"", "content-range", "bytes 4-9/10");
    push(second, "456789");
    second.end();
    assertThat(sink.await()).asString().isEqualTo("0123456789");
    assertThat(events).containsExactly("resumed");
  }

  @Test
  void resumesARangeWithinTheObject() throws Throwable {
    SteeredBody first = new SteeredBody(4);
    SteeredBody second = new SteeredBody(3);
    UpstreamResponse response =
        read(
            get(HttpFields.of("Range", "bytes=100-103"), Query.EMPTY),
            first,
            206,
            "ETag",
            "\"v\"",
            "Content-Range",
            "bytes 100-103/9000000000");
    response.body().start(sink);
    push(first, "a");
    first.fail(new UpstreamFailure.TimedOut("stalled", true));
    assertThat(requests.get(1).fields().get("range")).contains("bytes=101-103");
    answer(1, second, 206, "etag", "\"v\"", "content-range", "bytes 101-103/9000000000");
    push(second, "bcd");
    second.end();
    assertThat(sink.await()).asString().isEqualTo("abcd");
  }

  @ParameterizedTest
  @CsvSource({
    "412, '\"v\"', bytes 4-9/10, 6",
    "200, '\"v\"', bytes 4-9/10, 6",
    "206, '\"w\"', bytes 4-9/10, 6",
    "206, 'W/\"v\"', bytes 4-9/10, 6",
    "206, '\"v\"', bytes 5-9/10, 6",
    "206, '\"v\"', bytes 4-9/10, 7",
    "206, '\"v\"', nonsense, 6",
    "404, '\"v\"', bytes 4-9/10, 6",
    "503, '\"v\"', bytes 4-9/10, 6"
  })
  void failsOnAnythingButTheMissingBytes(int status, String etag, String range, int length) {
    SteeredBody first = new SteeredBody(10);
    SteeredBody second = new SteeredBody(length);
    read(first, 200, "ETag", "\"v\"").body().start(sink);
    push(first, "0123");
    first.fail(BROKEN);
    answer(1, second, status, "etag", etag, "content-range", range);
    assertThatThrownBy(sink::await).isInstanceOf(UpstreamFailure.Broken.class);
    assertThat(second.isCancelled()).isTrue();
    assertThat(events).containsExactly("resumed", "truncated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"W/\"v\"", "v", "", "\""})
  void doesNotResumeWithoutAStrongEtag(String etag) {
    SteeredBody first = new SteeredBody(10);
    UpstreamResponse response = read(first, 200, "ETag", etag);
    assertThat(response.body()).isSameAs(first);
  }

  @Test
  void doesNotResumeWhatItCannotPinDown() {
    SteeredBody unknownLength = new SteeredBody(-1);
    assertThat(read(unknownLength, 200, "ETag", "\"v\"").body()).isSameAs(unknownLength);
    SteeredBody multipart = new SteeredBody(10);
    reader.fetch(get(HttpFields.EMPTY, Query.EMPTY));
    answer(1, multipart, 206, "ETag", "\"v\"", "Content-Type", "multipart/byteranges");
    assertThat(answers.get(1).future().result().body()).isSameAs(multipart);
  }

  @Test
  void givesUpWhenNothingMoves() {
    SteeredBody first = new SteeredBody(10);
    read(first, 200, "ETag", "\"v\"").body().start(sink);
    first.fail(BROKEN);
    for (int i = 1; i <= ResumingBody.MOST_WITHOUT_PROGRESS; i++) {
      assertThat(sink.isDone()).isFalse();
      SteeredBody next = new SteeredBody(10);
      answer(i, next, 206, "etag", "\"v\"", "content-range", "bytes 0-9/10");
      next.fail(BROKEN);
    }
    assertThatThrownBy(sink::await).isSameAs(BROKEN);
    assertThat(requests).hasSize(1 + ResumingBody.MOST_WITHOUT_PROGRESS);
  }

  @Test
  void goesOnAsLongAsThereIsProgress() throws Throwable {
    int pieces = 20;
    long size = ResumingBody.PROGRESS * pieces;
    SteeredBody body = new SteeredBody(size);
    read(body, 200, "ETag", "\"v\"").body().start(sink.counting());
    for (int i = 1; i < pieces; i++) {
      body.push(new byte[(int) ResumingBody.PROGRESS]);
      body.fail(BROKEN);
      long from = i * ResumingBody.PROGRESS;
      body = new SteeredBody(size - from);
      answer(
          i,
          body,
          206,
          "etag",
          "\"v\"",
          "content-range",
          "bytes %d-%d/%d".formatted(from, size - 1, size));
    }
    body.push(new byte[(int) ResumingBody.PROGRESS]);
    body.end();
    sink.await();
    assertThat(sink.size()).isEqualTo(size);
  }

  @Test
  void asksForNothingWhilePaused() throws Throwable {
    SteeredBody first = new SteeredBody(10);
    UpstreamResponse response = read(first, 200, "ETag", "\"v\"");
    response.body().start(sink);
    push(first, "01234");
    response.body().pause();
    first.fail(BROKEN);
    assertThat(requests).hasSize(1);
    response.body().resume();
    assertThat(requests).hasSize(2);
    response.body().pause();
    SteeredBody second = new SteeredBody(5);
    second.onResume(() -> push(second, "56789"));
    answer(1, second, 206, "etag", "\"v\"", "content-range", "bytes 5-9/10");
    assertThat(sink.size()).as("delivered while paused").isEqualTo(5);
    response.body().resume();
    second.end();
    assertThat(sink.await()).asString().isEqualTo("0123456789");
  }

  @Test
  void cancellingBetweenConnectionsCancelsTheNextOne() {
    SteeredBody first = new SteeredBody(10);
    UpstreamResponse response = read(first, 200, "ETag", "\"v\"");
    response.body().start(sink);
    first.fail(BROKEN);
    response.body().cancel();
    assertThat(requests.get(1).cancellation().isCancelled()).isTrue();
    assertThat(cancellation.isCancelled()).as("the exchange's own").isFalse();
    SteeredBody late = new SteeredBody(10);
    answer(1, late, 206, "etag", "\"v\"", "content-range", "bytes 0-9/10");
    assertThat(late.isCancelled()).isTrue();
    assertThat(sink.isDone()).isFalse();
  }

  @Test
  void aClientThatLeftIsNotServedFurther() {
    SteeredBody first = new SteeredBody(10);
    read(first, 200, "ETag", "\"v\"").body().start(sink);
    cancellation.cancel();
    first.fail(new UpstreamFailure.Cancelled(true));
    assertThatThrownBy(sink::await).isInstanceOf(UpstreamFailure.Cancelled.class);
    assertThat(requests).hasSize(1);
  }

  @Test
  void endsIfOnlyTheEndWasMissing() throws Throwable {
    SteeredBody first = new SteeredBody(3);
    read(first, 200, "ETag", "\"v\"").body().start(sink);
    push(first, "abc");
    first.fail(BROKEN);
    assertThat(sink.await()).asString().isEqualTo("abc");
    assertThat(requests).hasSize(1);
  }
}
