package io.penstock.gateway.upstream;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/** An endpoint in virtual time: takes as long and answers as its state at the time says. */
final class SimulatedStore implements UpstreamChannel {

  /** What the endpoint does at the moment. */
  enum State {
    FINE,
    SLOW_DOWN,
    REFUSING,
    SLOW
  }

  private static final Duration USUAL = Duration.ofMillis(20);
  private static final Duration QUICK = Duration.ofMillis(2);
  private static final Duration LONG = Duration.ofMillis(600);

  private final String name;
  private final VirtualTimeline time;
  private State state = State.FINE;
  private int inFlight;
  private int tries;

  SimulatedStore(String name, VirtualTimeline time) {
    this.name = name;
    this.time = time;
  }

  void become(State next) {
    state = next;
  }

  int load() {
    return inFlight;
  }

  /** Tries since the last call of this method. */
  int takeTries() {
    int taken = tries;
    tries = 0;
    return taken;
  }

  @Override
  public Future<UpstreamResponse> send(UpstreamRequest request) {
    tries++;
    inFlight++;
    Promise<UpstreamResponse> answer = Promise.promise();
    State now = state;
    time.after(
        switch (now) {
          case FINE -> USUAL;
          case SLOW -> LONG;
          case SLOW_DOWN, REFUSING -> QUICK;
        },
        () -> {
          inFlight--;
          switch (now) {
            case FINE, SLOW -> answer.complete(Requests.answer(200, "x"));
            case SLOW_DOWN -> answer.complete(Requests.answer(503, "SlowDown"));
            case REFUSING -> answer.fail(new UpstreamFailure.Unreachable("refused"));
          }
        });
    return answer.future();
  }

  @Override
  public String toString() {
    return name;
  }
}
