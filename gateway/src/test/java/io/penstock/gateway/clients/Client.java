package io.penstock.gateway.clients;

import java.nio.file.Path;
import java.util.List;

/**
 * One S3 client, opened on one bucket of one endpoint, with that client's own default settings.
 * Every method returns when the client says it is done and throws {@link ClientFailure} when the
 * client says it failed.
 *
 * <p>Threading: one thread.
 */
interface Client extends AutoCloseable {

  void put(String key, Path body);

  void get(String key, Path into);

  /** The size in bytes that the client reports without reading the object. */
  long head(String key);

  /**
   * Everything below {@code prefix}, in pages of two where the client can; delimiter {@code ""} is
   * none.
   */
  Listing list(String prefix, String delimiter);

  void copy(String from, String to);

  void delete(String key);

  /** All keys in one request, where the client can. */
  void deleteAll(List<String> keys);

  /** By multipart upload. */
  void putInParts(String key, Path body);

  /** Bytes {@code first} to {@code last}, both included. */
  void getRange(String key, long first, long last, Path into);

  @Override
  void close();

  /** The names a listing gave, in the order given. */
  record Listing(List<String> keys, List<String> prefixes) {}

  /** What the client said when it failed. */
  final class ClientFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientFailure(String message) {
      super(message);
    }

    ClientFailure(Throwable cause) {
      super(cause);
    }
  }
}
