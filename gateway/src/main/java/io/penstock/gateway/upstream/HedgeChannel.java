package io.penstock.gateway.upstream;

import io.penstock.config.UpstreamConfig.HedgeConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.Cancellation.Registration;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends a second try for a read whose answer is late; the first head wins and the other try is
 * cancelled. Only GET and HEAD without a body are hedged, within a {@link HedgeBudget}, and not
 * within {@link #CALM} after the store asked to slow down. What is late is learnt for each
 * operation by itself, from {@link Straggling}. If one try fails while the other is out, the other
 * one decides.
 *
 * <p>It stands inside Retry, so that the repeats stay counted there, and inside Region, so that a
 * redirect is followed once; outside Limit, which gives the second try to the endpoint with fewer
 * calls.
 *
 * <p>Threading: confined to one event loop.
 */
final class HedgeChannel implements UpstreamChannel {
  static final Duration CALM = Duration.ofSeconds(2);
  private static final int SLOW_DOWN = 503;

  private final UpstreamChannel next;
  private final Timeline timeline;
  private final UpstreamObserver observer;
  private final Duration minDelay;
  private final HedgeBudget budget;
  private final Map<String, Straggling> kinds = new HashMap<>();
  private boolean complained;
  private long complainedAt;

  HedgeChannel(
      UpstreamChannel next, HedgeConfig config, Timeline timeline, UpstreamObserver observer) {
    this.next = next;
    this.timeline = timeline;
    this.observer = observer;
    this.minDelay = config.minDelay();
    this.budget = new HedgeBudget(config.budgetPercent() / 100.0);
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    if (!isHedgeable(request)) {
      return next.send(request);
    }
    budget.called();
    Straggling kind =
        kinds.computeIfAbsent(
            request.operation(), _ -> new Straggling(timeline, budget.share(), minDelay));
    Call call = new Call(request, kind);
    call.begin();
    return call.answer.future();
  }

  private static boolean isHedgeable(UpstreamRequest request) {
    boolean read = request.method().equals("GET") || request.method().equals("HEAD");
    return read && request.idempotent() && request.body() instanceof UpstreamBody.None;
  }

  private boolean isCalm() {
    if (complained && timeline.nanoTime() - complainedAt >= CALM.toNanos()) {
      complained = false;
    }
    return !complained;
  }

  private final class Call implements Straggling.Waiting {
    private final UpstreamRequest request;
    private final Straggling kind;
    private final long begun = timeline.nanoTime();
    private final Promise<UpstreamResponse> answer = Promise.promise();
    private final Try first;
    private @Nullable Try second;

    Call(UpstreamRequest request, Straggling kind) {
      this.request = request;
      this.kind = kind;
      this.first = new Try();
    }

    void begin() {
      first.send();
      if (!isAnswered()) {
        kind.begun(this);
      }
    }

    @Override
    public long begun() {
      return begun;
    }

    @Override
    public boolean isAnswered() {
      return answer.future().isComplete();
    }

    @Override
    public void late() {
      if (request.cancellation().isCancelled() || !isCalm()) {
        return;
      }
      if (!budget.spend()) {
        observer.hedgeRefused(request.operation());
        return;
      }
      observer.hedged(request.operation());
      second = new Try();
      second.send();
    }

    private void done(Try which, AsyncResult<UpstreamResponse> result) {
      which.over = true;
      Try other = which == first ? second : first;
      if (isAnswered()) {
        if (result.succeeded()) {
          result.result().body().cancel();
        }
      } else if (result.succeeded()) {
        won(which, other, result.result());
      } else {
        which.link.close();
        if (other == null || other.over) {
          answer.fail(result.cause());
        }
      }
    }

    private void won(Try winner, @Nullable Try other, UpstreamResponse response) {
      if (response.head().status() == SLOW_DOWN) {
        complained = true;
        complainedAt = timeline.nanoTime();
      }
      if (winner == second) {
        observer.hedgeWon(request.operation());
      }
      answer.complete(response);
      if (other != null) {
        other.link.close();
        other.cancellation.cancel();
      }
      kind.answered(timeline.nanoTime() - begun);
    }

    /** One of the two, with a cancellation of its own. */
    private final class Try {
      private final Cancellation cancellation = new Cancellation();
      private final Registration link;
      private boolean over;

      Try() {
        link = request.cancellation().onCancel(cancellation::cancel);
      }

      void send() {
        next.send(request.cancelledBy(cancellation)).onComplete(result -> done(this, result));
      }
    }
  }

  @Override
  public String toString() {
    return "Hedge(" + next + ")";
  }
}
