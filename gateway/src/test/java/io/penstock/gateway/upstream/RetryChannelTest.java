package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.UpstreamConfig.RetryConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryChannelTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final RetryConfig CONFIG =
      new RetryConfig(3, Duration.ofMillis(100), Duration.ofSeconds(2));

  private final VirtualTimeline time = new VirtualTimeline();
  private final ScriptedChannel store = new ScriptedChannel();
  private final RetryChannel channel =
      new RetryChannel(
          store,
          CONFIG.maxAttempts(),
          new Backoff(CONFIG, new SplittableRandom(1)),
          time,
          UpstreamObserver.NONE);

  private final UpstreamRequest get = Requests.get("b", "k");
  private final UpstreamRequest post =
      Requests.of(
          "POST", "b", "k", new UpstreamBody.Replayable(new byte[1]), false, new Cancellation());

  static List<UpstreamFailure> passingFailures() {
    return List.of(
        new UpstreamFailure.Unreachable("x"),
        new UpstreamFailure.Broken("x", true),
        new UpstreamFailure.TimedOut("x", true));
  }

  @ParameterizedTest
  @MethodSource("passingFailures")
  void repeatsAnIdempotentCallThatFailed(UpstreamFailure failure) {
    store.fails(failure).fails(failure).answers(200);
    Future<UpstreamResponse> answer = channel.send(get);
    assertThat(answer.isComplete()).isFalse();
    time.advance(LONG);
    assertThat(answer.result().head().status()).isEqualTo(200);
    assertThat(store.requests()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void repeatsAnIdempotentCallThatWasAnsweredSo(int status) {
    store.answers(status).answers(200);
    Future<UpstreamResponse> answer = channel.send(get);
    time.advance(LONG);
    assertThat(answer.result().head().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 206, 304, 400, 403, 404, 412, 416, 429, 501})
  void passesEveryOtherAnswerOn(int status) {
    store.answers(status);
    assertThat(channel.send(get).result().head().status()).isEqualTo(status);
    assertThat(time.pending()).isZero();
  }

  @Test
  void passesTheLastAnswerOnWithItsBody() throws Throwable {
    store.answers(503).answers(503).answers(503, "retry-after", "7");
    Future<UpstreamResponse> answer = channel.send(get);
    time.advance(LONG);
    assertThat(answer.result().head().fields().get("retry-after")).contains("7");
    SinkProbe sink = new SinkProbe();
    answer.result().body().start(sink);
    assertThat(sink.await()).asString().isEqualTo("status 503");
  }

  @Test
  void stopsAfterTheLastAttempt() {
    UpstreamFailure last = new UpstreamFailure.Broken("last", true);
    store
        .fails(new UpstreamFailure.Broken("first", true))
        .fails(new UpstreamFailure.Broken("second", true))
        .fails(last);
    Future<UpstreamResponse> answer = channel.send(get);
    time.advance(LONG);
    assertThat(answer.cause()).isSameAs(last);
  }

  @Test
  void doesNotRepeatWhatMayHaveHappened() {
    store.fails(new UpstreamFailure.Broken("x", true));
    assertThat(channel.send(post).cause()).isInstanceOf(UpstreamFailure.Broken.class);
    store.answers(500);
    assertThat(channel.send(post).result().head().status()).isEqualTo(500);
  }

  @Test
  void repeatsWhatNeverLeft() {
    store
        .fails(new UpstreamFailure.Unreachable("x"))
        .fails(new UpstreamFailure.Broken("x", false))
        .answers(200);
    Future<UpstreamResponse> answer = channel.send(post);
    time.advance(LONG);
    assertThat(answer.result().head().status()).isEqualTo(200);
  }

  @Test
  void repeatsAStreamOnlyIfItWasNotTouched() {
    UpstreamRequest put = put();
    store.fails(new UpstreamFailure.Unreachable("x")).answers(200);
    Future<UpstreamResponse> answer = channel.send(put);
    time.advance(LONG);
    assertThat(answer.succeeded()).isTrue();
    store.fails(new UpstreamFailure.Broken("x", true));
    assertThat(channel.send(put()).failed()).isTrue();
    store.answers(503);
    assertThat(channel.send(put()).result().head().status()).isEqualTo(503);
  }

  private static UpstreamRequest put() {
    return Requests.of(
        "PUT",
        "b",
        "k",
        new UpstreamBody.Streaming(new SteeredBody(5), 5),
        true,
        new Cancellation());
  }

  @Test
  void neverRepeatsWhatWeRefusedOrTheClientGaveUp() {
    List<UpstreamFailure> failures =
        List.of(
            new UpstreamFailure.Overloaded("x", java.util.Optional.empty()),
            new UpstreamFailure.Cancelled(false),
            new UpstreamFailure.BodyFailed(new IllegalStateException("x")));
    for (UpstreamFailure failure : failures) {
      store.fails(failure);
      assertThat(channel.send(get).cause()).isSameAs(failure);
    }
  }

  @Test
  void waitsAsLongAsTheStoreAskedFor() {
    store.answers(503, "Retry-After", "1").answers(200);
    Future<UpstreamResponse> answer = channel.send(get);
    time.advance(Duration.ofMillis(999));
    assertThat(store.requests()).hasSize(1);
    time.advance(Duration.ofMillis(2));
    assertThat(answer.result().head().status()).isEqualTo(200);
  }

  @Test
  void leavesALongWaitToTheClient() {
    store.answers(503, "Retry-After", "60");
    assertThat(channel.send(get).result().head().status()).isEqualTo(503);
  }

  @Test
  void aCancelledCallDoesNotComeBack() {
    Cancellation cancellation = new Cancellation();
    store.answers(500);
    Future<UpstreamResponse> answer =
        channel.send(Requests.of("GET", "b", "k", Requests.NONE, true, cancellation));
    cancellation.cancel();
    assertThat(answer.cause()).isInstanceOf(UpstreamFailure.Cancelled.class);
    assertThat(time.pending()).isZero();
  }

  @Test
  void retriesStayATenthOfTheCalls() {
    int calls = 1000;
    for (int i = 0; i < calls; i++) {
      // one answer each and one for each retry that is allowed
      store.fails(new UpstreamFailure.Broken("x", true));
    }
    for (int i = 0; i < calls / 10 + 11; i++) {
      store.fails(new UpstreamFailure.Broken("x", true));
    }
    for (int i = 0; i < calls; i++) {
      channel.send(get);
      time.advance(Duration.ofSeconds(10));
    }
    assertThat(store.requests().size()).isBetween(calls + calls / 10, calls + calls / 10 + 11);
  }

  @Test
  void namesItsNest() {
    assertThat(channel).hasToString("Retry(Scripted)");
  }
}
