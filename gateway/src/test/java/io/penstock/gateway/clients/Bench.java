package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One client at work on a bucket of its own: the client at one end, opened on first use, and a
 * reader of the store at the other.
 *
 * <p>Threading: one thread.
 */
final class Bench implements AutoCloseable {
  private final Judge judge;
  private final String name;
  private final Endpoint endpoint;
  private final StoreReader reader;
  private @Nullable Client client;

  /** {@code name} tells this bench from every other of the run; it is the bucket's name. */
  Bench(Judge judge, String name, Endpoint endpoint, StoreReader reader) {
    this.judge = judge;
    this.name = name;
    this.endpoint = endpoint;
    this.reader = reader;
    reader.createBucket(name);
  }

  String bucket() {
    return name;
  }

  StoreReader reader() {
    return reader;
  }

  Client client() {
    if (client == null) {
      client = judge.open(endpoint, name, folder());
    }
    return client;
  }

  /** Puts an object into the store, past the client. */
  void store(String key, Path body) {
    reader.write(name, key, body);
  }

  void assertStored(String key, Path body) {
    assertThat(reader.read(name, key))
        .as("in the store under %s", key)
        .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(Bodies.bytes(body)));
  }

  void assertNotStored(String key) {
    assertThat(reader.read(name, key)).as("in the store under %s", key).isEmpty();
  }

  /** What the client reads under the key. */
  Path got(String key) {
    Path into = scratch();
    client().get(key, into);
    return into;
  }

  /** A file that does not exist yet. */
  Path scratch() {
    try {
      Path file = folder().resolve("got.bin");
      Files.deleteIfExists(file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path folder() {
    return Tools.workFolder(name);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
