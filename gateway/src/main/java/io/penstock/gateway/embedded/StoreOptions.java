package io.penstock.gateway.embedded;

import io.penstock.config.Secret;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How an {@link EmbeddedStore} runs. Port 0 means any free port; without a directory the objects
 * live in memory and are gone when the store closes.
 */
public record StoreOptions(
    String host, int port, Optional<Path> directory, String accessKey, Secret secretKey) {

  /** In memory, on any free port of loopback. */
  public static StoreOptions inMemory(String accessKey, String secretKey) {
    return new StoreOptions("127.0.0.1", 0, Optional.empty(), accessKey, new Secret(secretKey));
  }

  /** The same with its objects as files below {@code directory}, one folder a bucket. */
  public StoreOptions in(Path directory) {
    return new StoreOptions(host, port, Optional.of(directory), accessKey, secretKey);
  }
}
