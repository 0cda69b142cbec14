package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigHandle;
import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigWatcher;
import io.penstock.config.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a running gateway in step with its configuration file, and says in the log what came of
 * each change.
 *
 * <p>Threading: one daemon thread of its own looks at the files.
 */
final class ConfigFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigFollower.class);
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final Path file;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("config-watch").daemon().factory());
  private final ConfigWatcher watcher;

  /**
   * Follows the file until closed.
   *
   * @param listener hears of each event before it is logged
   */
  ConfigFollower(Path file, ConfigHandle handle, Consumer<ConfigWatcher.Event> listener) {
    this.file = file;
    Consumer<ConfigWatcher.Event> both = listener.andThen(this::report);
    this.watcher = new ConfigWatcher(new ConfigLoader(System.getenv()), file, handle, both);
    watcher.start(thread, INTERVAL);
  }

  private void report(ConfigWatcher.Event event) {
    switch (event) {
      case ConfigWatcher.Event.Applied(var change) ->
          LOG.info("configuration changed, in force now: {}", change.paths());
      case ConfigWatcher.Event.RestartRequired(var paths) ->
          LOG.warn("configuration changed, but nothing was applied: {} need a restart", paths);
      case ConfigWatcher.Event.Rejected(var problems) -> {
        for (Problem problem : problems) {
          LOG.error("configuration not applied, the running one stays: {}", problem.describe(file));
        }
      }
      case ConfigWatcher.Event.Restored _ ->
          LOG.info("the configuration file holds what is in force again");
    }
  }

  @Override
  public void close() {
    watcher.close();
    thread.shutdownNow();
  }
}
