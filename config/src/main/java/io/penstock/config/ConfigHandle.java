package io.penstock.config;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration that is in force. Who needs a value for one request asks {@link #current()};
 * who built something out of a value subscribes and builds it anew. A subscriber that fails is
 * logged and keeps what it has; the others still hear of the change.
 *
 * <p>Threading: any thread may read and subscribe; subscribers are called one after another on the
 * thread that made the change, usually the watcher's, and must not block it for long.
 */
public final class ConfigHandle {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigHandle.class);

  private final List<Consumer<ConfigChange>> subscribers = new CopyOnWriteArrayList<>();
  private volatile GatewayConfig current;

  public ConfigHandle(GatewayConfig initial) {
    this.current = initial;
  }

  public GatewayConfig current() {
    return current;
  }

  /** Calls the subscriber after each change until the subscription is closed. */
  public Subscription subscribe(Consumer<ConfigChange> subscriber) {
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Ends the calls to a subscriber. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Puts a configuration in force and tells the subscribers. */
  void apply(ConfigChange change) {
    current = change.after();
    for (Consumer<ConfigChange> subscriber : subscribers) {
      try {
        subscriber.accept(change);
      } catch (RuntimeException e) {
        LOG.error(
            "A part of the gateway could not take on the new configuration and keeps the old one; changed: {}",
            change.paths(),
            e);
      }
    }
  }
}
