package io.penstock.gateway.clients;

/**
 * A real S3 store that the judges look into behind the gateway's back.
 *
 * <p>Threading: any thread.
 */
sealed interface StoreUnderTest extends AutoCloseable permits EmbeddedUnderTest, CephRadosgw {

  /** Where the store itself listens, on loopback. */
  Endpoint endpoint();

  @Override
  void close();

  /** The stores, started on first use and shared by the whole test run. */
  enum Kind {
    EMBEDDED,
    RADOSGW
  }

  static StoreUnderTest start(Kind kind) {
    return switch (kind) {
      case EMBEDDED -> new EmbeddedUnderTest();
      case RADOSGW -> CephRadosgw.start();
    };
  }
}
