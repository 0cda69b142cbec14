package io.penstock.gateway.clients;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;

/**
 * The store that the quick start runs: s3proxy in this JVM, objects in memory.
 *
 * <p>Threading: any thread.
 */
final class EmbeddedUnderTest implements StoreUnderTest {
  private final EmbeddedStore store =
      EmbeddedStore.start(StoreOptions.inMemory("store", "store-secret"));

  @Override
  public Endpoint endpoint() {
    return Endpoint.plain(store.endpoint(), store.accessKey(), store.secretKey().reveal());
  }

  @Override
  public void close() {
    store.close();
  }
}
