package io.penstock.gateway.faults;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A gateway in front of a real store with one bucket, {@code bkt}, that can also be asked directly.
 * Closing it checks that everything was given back.
 */
final class RealLab implements AutoCloseable {
  private final EmbeddedStore store;
  private final Stack stack;
  private final S3Client direct;
  private final Probe probe;

  private RealLab(EmbeddedStore store, Stack stack, S3Client direct) {
    this.store = store;
    this.stack = stack;
    this.direct = direct;
    this.probe = new Probe(stack.gateway().admin());
  }

  /** {@code more}: further sections of the gateway's configuration. */
  static RealLab start(String more) {
    EmbeddedStore store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    S3Client direct = Stack.client(store.endpoint(), "ak", "sk");
    direct.createBucket(b -> b.bucket("bkt"));
    return new RealLab(store, Stack.start(store.endpoint(), "ak", "sk", more), direct);
  }

  Stack stack() {
    return stack;
  }

  /** A client of the store that knows nothing of the gateway. */
  S3Client direct() {
    return direct;
  }

  Probe probe() {
    return probe;
  }

  RawClient client() throws IOException {
    return new RawClient(stack.s3());
  }

  SignedCall call(String method, String target) {
    return new SignedCall(stack.s3(), method, target);
  }

  /** One request on a connection of its own, and its answer. */
  Answer send(RawRequest request) throws IOException {
    try (RawClient client = client()) {
      return client.send(request.bytes()).read(request.method());
    }
  }

  void store(String key, byte[] bytes) {
    direct.putObject(r -> r.bucket("bkt").key(key), RequestBody.fromBytes(bytes));
  }

  byte[] stored(String key) {
    return direct.getObjectAsBytes(r -> r.bucket("bkt").key(key)).asByteArray();
  }

  @Override
  public void close() {
    try (store;
        direct;
        stack) {
      probe.awaitQuiet();
    }
  }
}
