package io.penstock.gateway.clients;

import io.penstock.gateway.testing.Stack;
import java.util.EnumMap;
import java.util.Map;

/**
 * One store, the gateway in front of it, and the reader that looks into the store directly. Started
 * once for each kind of store on first use, shared by all judges of the test run, stopped with the
 * JVM.
 *
 * <p>Threading: any thread.
 */
final class Stand {
  // to see what the clients do without a gateway
  private static final boolean DIRECT = Boolean.getBoolean("judges.direct");
  private static final Map<StoreUnderTest.Kind, Stand> STARTED =
      new EnumMap<>(StoreUnderTest.Kind.class);

  private final StoreUnderTest store;
  private final StoreReader reader;
  private final Stack stack;

  private Stand(StoreUnderTest store) {
    this.store = store;
    this.reader = new StoreReader(store.endpoint());
    this.stack = inFront("");
  }

  static synchronized Stand of(StoreUnderTest.Kind kind) {
    return STARTED.computeIfAbsent(
        kind,
        k -> {
          Stand stand = new Stand(StoreUnderTest.start(k));
          Runtime.getRuntime().addShutdownHook(new Thread(stand::close));
          return stand;
        });
  }

  /**
   * Another gateway in front of the same store; {@code yaml} replaces sections of its
   * configuration.
   */
  Stack inFront(String yaml) {
    Endpoint behind = store.endpoint();
    return Stack.start(behind.uri(), behind.accessKey(), behind.secretKey(), yaml);
  }

  Stack stack() {
    return stack;
  }

  Endpoint gateway() {
    return DIRECT ? direct() : Endpoint.plain(stack.s3(), Stack.ACCESS_KEY, Stack.SECRET_KEY);
  }

  Endpoint direct() {
    return store.endpoint();
  }

  StoreReader reader() {
    return reader;
  }

  private void close() {
    stack.close();
    reader.close();
    store.close();
  }
}
