package io.penstock.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the configuration file and all files it names at a fixed interval. When one has changed
 * and then stayed the same for one interval, loads the configuration again and either puts it in
 * force, or reports why not and leaves the running one alone. Polling, not file events: those are
 * lost on network file systems and miss what Kubernetes does with symbolic links.
 *
 * <p>Threading: {@link #poll()} runs on the scheduler given to {@link #start}; so do the listener
 * and the subscribers of the {@link ConfigHandle}.
 */
public final class ConfigWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigWatcher.class);

  /** One to stamp the file, one to load it, one to stamp what it names, one to load that. */
  private static final int POLLS_TO_SETTLE = 4;

  private final ConfigLoader loader;
  private final Path file;
  private final ConfigHandle handle;
  private final Consumer<Event> listener;

  /** Stamps taken before the last load; empty before the first one. */
  private Map<Path, Optional<FileStamp>> loaded = Map.of();

  private Map<Path, Optional<FileStamp>> previous = Map.of();
  private Set<Path> watched;

  /** Files with content that nobody has taken on yet. */
  private final Set<Path> touched = new HashSet<>();

  private Optional<Event> lastTrouble = Optional.empty();
  private Optional<Future<?>> polling = Optional.empty();

  /**
   * @param listener hears what came of each load that changed something
   */
  public ConfigWatcher(
      ConfigLoader loader, Path file, ConfigHandle handle, Consumer<Event> listener) {
    this.loader = loader;
    this.file = file;
    this.handle = handle;
    this.listener = listener;
    this.watched = Set.of(file.toAbsolutePath());
  }

  /** What came of loading the configuration again. */
  public sealed interface Event {
    /** It is in force, and the subscribers have been told. */
    record Applied(ConfigChange change) implements Event {}

    /** It is right, but these keys cannot change while the gateway runs; nothing was changed. */
    record RestartRequired(List<String> paths) implements Event {}

    /** It has mistakes; nothing was changed. */
    record Rejected(List<Problem> problems) implements Event {}

    /** After one of the two before: the file again holds what is in force. */
    record Restored() implements Event {}
  }

  /** Starts looking. A change is in force after two to three intervals; some seconds are right. */
  public synchronized void start(ScheduledExecutorService scheduler, Duration interval) {
    if (polling.isPresent()) {
      throw new IllegalStateException("already started");
    }
    // learn which files there are before the first interval, so that a change within it is seen
    for (int i = 0; i < POLLS_TO_SETTLE; i++) {
      pollSafely();
    }
    long millis = interval.toMillis();
    polling =
        Optional.of(
            scheduler.scheduleWithFixedDelay(
                this::pollSafely, millis, millis, TimeUnit.MILLISECONDS));
  }

  @Override
  public synchronized void close() {
    polling.ifPresent(it -> it.cancel(false));
  }

  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException e) {
      // an exception would end the polling for good
      LOG.error("Looking for a changed configuration failed; will look again", e);
    }
  }

  /** Looks once. */
  synchronized void poll() {
    Map<Path, Optional<FileStamp>> now = stamps();
    boolean settled = now.equals(previous);
    previous = now;
    if (settled && !now.equals(loaded)) {
      reload(now);
    }
  }

  private Map<Path, Optional<FileStamp>> stamps() {
    Map<Path, Optional<FileStamp>> stamps = new HashMap<>();
    watched.forEach(path -> stamps.put(path, FileStamp.of(path)));
    return stamps;
  }

  /**
   * Loads with stamps that were taken before, so a file that changes meanwhile is seen by the next
   * poll. Files that the load names for the first time have no stamp yet and make it load once
   * more.
   */
  private void reload(Map<Path, Optional<FileStamp>> now) {
    loaded.forEach(
        (path, stamp) -> {
          if (now.containsKey(path) && !stamp.equals(now.get(path))) {
            touched.add(path);
          }
        });
    ConfigLoader.Reading reading = loader.read(file);
    loaded = now;
    Set<Path> files = new HashSet<>(reading.files());
    switch (reading.result()) {
      case ConfigResult.Loaded(GatewayConfig config) -> take(config);
      case ConfigResult.Invalid(List<Problem> problems) -> {
        // a file whose name could not be read this time may still be in use
        files.addAll(watched);
        trouble(new Event.Rejected(problems));
      }
    }
    watched = Set.copyOf(files);
    loaded = only(watched, loaded);
  }

  private void take(GatewayConfig config) {
    GatewayConfig running = handle.current();
    switch (ConfigDiff.between(running, config, touched)) {
      case ConfigDiff.RestartRequired(List<String> paths) ->
          trouble(new Event.RestartRequired(paths));
      case ConfigDiff.Reloadable(List<String> paths) when paths.isEmpty() -> {
        touched.clear();
        if (lastTrouble.isPresent()) {
          lastTrouble = Optional.empty();
          listener.accept(new Event.Restored());
        }
      }
      case ConfigDiff.Reloadable(List<String> paths) -> {
        ConfigChange change = new ConfigChange(running, config, paths);
        lastTrouble = Optional.empty();
        touched.clear();
        handle.apply(change);
        listener.accept(new Event.Applied(change));
      }
    }
  }

  private void trouble(Event event) {
    if (!lastTrouble.equals(Optional.of(event))) {
      lastTrouble = Optional.of(event);
      listener.accept(event);
    }
  }

  private static Map<Path, Optional<FileStamp>> only(
      Set<Path> paths, Map<Path, Optional<FileStamp>> stamps) {
    Map<Path, Optional<FileStamp>> kept = new HashMap<>(stamps);
    kept.keySet().retainAll(paths);
    return kept;
  }
}
