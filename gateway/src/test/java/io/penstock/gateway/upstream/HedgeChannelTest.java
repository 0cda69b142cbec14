package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.UpstreamConfig.HedgeConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.testing.SteeredBody;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HedgeChannelTest {
  private static final Duration USUAL = Duration.ofMillis(20);

  private final VirtualTimeline time = new VirtualTimeline();
  private final List<UpstreamRequest> requests = new ArrayList<>();
  private final List<Promise<UpstreamResponse>> answers = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final HedgeChannel channel =
      new HedgeChannel(
          request -> {
            requests.add(request);
            Promise<UpstreamResponse> answer = Promise.promise();
            answers.add(answer);
            return answer.future();
          },
          new HedgeConfig(true, 2, Duration.ofMillis(5)),
          time,
          new UpstreamObserver() {
            @Override
            public void hedged(String operation) {
              events.add("hedged");
            }

            @Override
            public void hedgeWon(String operation) {
              events.add("won");
            }

            @Override
            public void hedgeRefused(String operation) {
              events.add("refused");
            }
          });

  /** Calls that take the usual time, until it is known what that is. */
  private void learn(int calls) {
    for (int i = 0; i < calls; i++) {
      Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
      time.advance(USUAL);
      last().complete(Requests.answer(200, "x"));
      assertThat(answer.result().head().status()).isEqualTo(200);
    }
    assertThat(events).isEmpty();
    requests.clear();
    answers.clear();
  }

  private Promise<UpstreamResponse> last() {
    return answers.getLast();
  }

  private static UpstreamResponse answer(int status, SteeredBody body) {
    return new UpstreamResponse(new ResponseHead(status, HttpFields.EMPTY), body);
  }

  @Test
  void theFirstHeadWinsAndTheOtherTryIsCancelled() {
    learn(300);
    Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
    time.advance(USUAL.multipliedBy(3));
    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).target()).isEqualTo(requests.get(0).target());
    SteeredBody body = new SteeredBody(1);
    answers.get(1).complete(answer(200, body));
    assertThat(answer.result().body()).isSameAs(body);
    assertThat(requests.get(0).cancellation().isCancelled()).isTrue();
    assertThat(requests.get(1).cancellation().isCancelled()).isFalse();
    assertThat(events).containsExactly("hedged", "won");
    SteeredBody late = new SteeredBody(1);
    answers.get(0).complete(answer(200, late));
    assertThat(late.isCancelled()).as("an answer that comes all the same").isTrue();
  }

  @Test
  void theFirstTryMayStillWin() {
    learn(300);
    Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
    time.advance(USUAL.multipliedBy(3));
    answers.get(0).complete(Requests.answer(200, "x"));
    assertThat(answer.succeeded()).isTrue();
    assertThat(requests.get(1).cancellation().isCancelled()).isTrue();
    assertThat(events).containsExactly("hedged");
  }

  @Test
  void oneFailureLeavesItToTheOtherTry() {
    learn(300);
    Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
    time.advance(USUAL.multipliedBy(3));
    answers.get(0).fail(new UpstreamFailure.Broken("gone", true));
    assertThat(answer.isComplete()).isFalse();
    answers.get(1).complete(Requests.answer(200, "x"));
    assertThat(answer.succeeded()).isTrue();
  }

  @Test
  void bothFailing() {
    learn(300);
    Future<UpstreamResponse> answer = channel.send(Requests.get("b", "k"));
    time.advance(USUAL.multipliedBy(3));
    answers.get(1).fail(new UpstreamFailure.Unreachable("refused"));
    answers.get(0).fail(new UpstreamFailure.Broken("gone", true));
    assertThat(answer.cause()).isInstanceOf(UpstreamFailure.Broken.class);
  }

  @Test
  void cancellingReachesBothTriesAndTheWinnersBody() {
    learn(300);
    Cancellation cancellation = new Cancellation();
    UpstreamRequest get = Requests.of("GET", "b", "k", Requests.NONE, true, cancellation);
    channel.send(get);
    time.advance(USUAL.multipliedBy(3));
    answers.get(1).complete(answer(200, new SteeredBody(1)));
    cancellation.cancel();
    assertThat(requests).hasSize(2).allMatch(it -> it.cancellation().isCancelled());
  }

  @Test
  void nothingIsLateBeforeMuchIsKnown() {
    learn(Straggling.FEWEST_SAMPLES - 1);
    channel.send(Requests.get("b", "k"));
    time.advance(Duration.ofMinutes(1));
    assertThat(requests).hasSize(1);
    assertThat(time.pending()).as("timers").isZero();
  }

  @Test
  void tellsOperationsApart() {
    learn(300);
    UpstreamRequest list =
        new UpstreamRequest(
            "ListObjectsV2",
            "GET",
            Requests.get("b", "k").target(),
            HttpFields.EMPTY,
            Requests.NONE,
            "UNSIGNED-PAYLOAD",
            true,
            new Cancellation());
    channel.send(list);
    time.advance(Duration.ofMinutes(1));
    assertThat(requests).hasSize(1);
  }

  @Test
  void hedgesNothingThatHasABodyOrAnEffect() {
    learn(300);
    UpstreamBody bytes = new UpstreamBody.Replayable(new byte[1]);
    channel.send(Requests.of("GET", "b", "k", bytes, true, new Cancellation()));
    channel.send(Requests.of("DELETE", "b", "k", Requests.NONE, true, new Cancellation()));
    channel.send(Requests.of("GET", "b", "k", Requests.NONE, false, new Cancellation()));
    time.advance(Duration.ofMinutes(1));
    assertThat(requests).hasSize(3);
  }

  @Test
  void keepsToItsBudget() {
    learn(1000);
    int calls = 2 * HedgeBudget.MOST_SAVED;
    for (int i = 0; i < calls; i++) {
      channel.send(Requests.get("b", "k"));
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(requests).hasSize(calls + HedgeBudget.MOST_SAVED);
    assertThat(events.stream().filter("refused"::equals)).hasSize(calls - HedgeBudget.MOST_SAVED);
  }

  @Test
  void leavesAStoreAloneThatAskedToSlowDown() {
    learn(300);
    channel.send(Requests.get("b", "k"));
    last().complete(Requests.answer(503, "SlowDown"));
    channel.send(Requests.get("b", "k"));
    time.advance(HedgeChannel.CALM.dividedBy(2));
    assertThat(requests).hasSize(2);
    time.advance(HedgeChannel.CALM);
    channel.send(Requests.get("b", "k"));
    time.advance(HedgeChannel.CALM);
    assertThat(requests).as("later it is asked again").hasSize(4);
  }

  @Test
  void keepsNoTimerWhenNobodyWaits() {
    learn(300);
    channel.send(Requests.get("b", "k"));
    last().complete(Requests.answer(200, "x"));
    time.advance(Duration.ofSeconds(1));
    assertThat(time.pending()).isZero();
    assertThat(requests).hasSize(1);
  }
}
