package io.penstock.gateway.app;

import io.penstock.config.ConfigWatcher;
import io.penstock.config.Problem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the configuration that is in force is the one in the file, and if not, why. Holds the
 * places and descriptions of mistakes, never values.
 *
 * <p>Threading: safe from every thread.
 */
public final class ConfigStatus {

  /** What became of the file's latest content. */
  enum State {
    CURRENT,
    REJECTED,
    RESTART_REQUIRED
  }

  private record Now(State state, Instant since, List<String> why) {}

  private final InstantSource clock;
  private final AtomicLong applied = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private volatile Now now;
  private volatile String certificate = "";

  ConfigStatus(InstantSource clock) {
    this.clock = clock;
    this.now = new Now(State.CURRENT, clock.instant(), List.of());
  }

  /** Takes note of what the watcher of the file reports. */
  public void report(ConfigWatcher.Event event) {
    switch (event) {
      case ConfigWatcher.Event.Applied _ -> {
        applied.incrementAndGet();
        set(State.CURRENT, List.of());
      }
      case ConfigWatcher.Event.Restored _ -> set(State.CURRENT, List.of());
      case ConfigWatcher.Event.RestartRequired(var paths) -> {
        rejected.incrementAndGet();
        set(State.RESTART_REQUIRED, paths);
      }
      case ConfigWatcher.Event.Rejected(var problems) -> {
        rejected.incrementAndGet();
        set(State.REJECTED, problems.stream().map(ConfigStatus::line).toList());
      }
    }
  }

  private static String line(Problem problem) {
    return problem.line() + ": " + problem.path() + ": " + problem.message();
  }

  private void set(State state, List<String> why) {
    now = new Now(state, clock.instant(), List.copyOf(why));
  }

  /** The listener could not take the certificate that the file names, and keeps the one before. */
  void certificateRefused(String why) {
    certificate = why;
  }

  void certificateTaken() {
    certificate = "";
  }

  /** Whether what the files hold is what is in force. */
  boolean isCurrent() {
    return now.state() == State.CURRENT && certificate.isEmpty();
  }

  long applied() {
    return applied.get();
  }

  long rejected() {
    return rejected.get();
  }

  JsonObject toJson() {
    Now seen = now;
    JsonObject json =
        new JsonObject()
            .put("state", seen.state().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .put("since", seen.since().toString())
            .put("why", new JsonArray(seen.why()))
            .put("applied", applied.get())
            .put("rejected", rejected.get());
    if (!certificate.isEmpty()) {
      json.put("certificate-refused", certificate);
    }
    return json;
  }
}
