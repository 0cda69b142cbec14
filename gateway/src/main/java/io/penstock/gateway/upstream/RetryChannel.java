package io.penstock.gateway.upstream;

import io.penstock.gateway.http.Cancellation.Registration;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries again what can be repeated without harm: calls that did not reach the store, and idempotent
 * ones whose try broke or was answered 500, 502, 503 or 504, as long as their body can be sent
 * again. Pauses grow and are random; all retries together stay within a {@link RetryBudget}, and
 * once the store asks to slow down all calls keep the common {@link Pace} and none is repeated.
 * When no further try is allowed the last answer goes on as it is, body and Retry-After included.
 *
 * <p>Threading: confined to one event loop.
 */
final class RetryChannel implements UpstreamChannel {
  private static final Duration COME_BACK = Duration.ofSeconds(1);

  private final UpstreamChannel next;
  private final int maxAttempts;
  private final Backoff backoff;
  private final Timeline timeline;
  private final UpstreamObserver observer;
  private final RetryBudget budget = new RetryBudget();
  private final Pace pace;

  RetryChannel(
      UpstreamChannel next,
      int maxAttempts,
      Backoff backoff,
      Timeline timeline,
      UpstreamObserver observer) {
    this.next = next;
    this.maxAttempts = maxAttempts;
    this.backoff = backoff;
    this.timeline = timeline;
    this.observer = observer;
    this.pace = new Pace(timeline);
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    budget.called();
    Call call = new Call(request);
    call.begin();
    return call.answer.future();
  }

  private static Duration retryAfter(UpstreamResponse response) {
    Optional<String> seconds = response.head().fields().get("retry-after");
    if (seconds.isEmpty() || !seconds.get().matches("[0-9]{1,6}")) {
      return Duration.ZERO;
    }
    return Duration.ofSeconds(Long.parseLong(seconds.get()));
  }

  private final class Call {
    private final UpstreamRequest request;
    private final Promise<UpstreamResponse> answer = Promise.promise();
    private int tries;
    private boolean sent;

    Call(UpstreamRequest request) {
      this.request = request;
    }

    /** Tries as soon as the common pace allows. */
    void begin() {
      Optional<Duration> wait = pace.take();
      if (wait.isEmpty()) {
        observer.throttled(request.operation(), 0);
        answer.fail(
            new UpstreamFailure.Overloaded(
                "the store asked to slow down; try again later", Optional.of(COME_BACK)));
      } else if (wait.get().isZero()) {
        tryNow();
      } else {
        observer.throttled(request.operation(), wait.get().toNanos());
        after(wait.get(), this::tryNow);
      }
    }

    private void tryNow() {
      tries++;
      next.send(request).onComplete(this::done);
    }

    private void done(AsyncResult<UpstreamResponse> result) {
      if (result.succeeded()) {
        answered(result.result());
      } else if (isRepeatable(result.cause()) && mayTryAgain(Duration.ZERO)) {
        again(Duration.ZERO);
      } else {
        answer.fail(result.cause());
      }
    }

    private void answered(UpstreamResponse response) {
      int status = response.head().status();
      Duration wanted = status == 503 ? retryAfter(response) : Duration.ZERO;
      if (status == 503) {
        pace.complained(wanted);
      } else {
        pace.answered();
      }
      boolean passing = status == 500 || status == 502 || status == 503 || status == 504;
      boolean replayable = !(request.body() instanceof UpstreamBody.Streaming);
      // under a common slow-down everybody's first try comes before anybody's second
      boolean unwelcome = status == 503 && pace.isLimited();
      if (passing && replayable && !unwelcome && request.idempotent() && mayTryAgain(wanted)) {
        SmallBody.discard(response.body());
        sent = true;
        again(wanted);
      } else {
        answer.complete(response);
      }
    }

    private boolean isRepeatable(Throwable cause) {
      if (!(cause instanceof UpstreamFailure failure)) {
        return false;
      }
      sent |= failure.sent();
      return switch (failure) {
        case UpstreamFailure.Unreachable _ -> true;
        case UpstreamFailure.Broken _, UpstreamFailure.TimedOut _ ->
            !failure.sent()
                || (request.idempotent() && !(request.body() instanceof UpstreamBody.Streaming));
        case UpstreamFailure.Overloaded _,
            UpstreamFailure.Cancelled _,
            UpstreamFailure.BodyFailed _ ->
            false;
      };
    }

    private boolean mayTryAgain(Duration wanted) {
      if (tries >= maxAttempts
          || wanted.compareTo(backoff.longest()) > 0
          || request.cancellation().isCancelled()) {
        return false;
      }
      if (!budget.spend()) {
        observer.retryRefused(request.operation());
        return false;
      }
      return true;
    }

    private void again(Duration wanted) {
      observer.retried(request.operation());
      Duration pause = backoff.after(tries);
      after(pause.compareTo(wanted) < 0 ? wanted : pause, this::tryNow);
    }

    /** Later, unless the call is cancelled before. */
    private void after(Duration pause, Runnable action) {
      Pause waiting = new Pause(action);
      waiting.timer = timeline.after(pause, waiting::over);
      waiting.cancellation = request.cancellation().onCancel(waiting::cancelled);
    }

    private final class Pause {
      private final Runnable action;
      private @Nullable Registration timer;
      private @Nullable Registration cancellation;

      Pause(Runnable action) {
        this.action = action;
      }

      void over() {
        if (cancellation != null) {
          cancellation.close();
        }
        action.run();
      }

      void cancelled() {
        if (timer != null) {
          timer.close();
        }
        answer.fail(new UpstreamFailure.Cancelled(sent));
      }
    }
  }

  @Override
  public String toString() {
    return "Retry(" + next + ")";
  }
}
