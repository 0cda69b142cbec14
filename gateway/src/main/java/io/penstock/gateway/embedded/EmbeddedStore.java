package io.penstock.gateway.embedded;

import io.penstock.config.Secret;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/**
 * An S3 server in this JVM: signature version 4 with one pair of keys, path-style addressing,
 * objects in memory or as files. It takes everything a gateway may forward (single puts up to 5
 * GiB, chunked bodies, headers it does not know) and differs from a real store where its file
 * system does: see {@code docs/decisions/embedded-store.md}.
 *
 * <p>Threading: safe for use by many threads; {@link #close} waits for nothing and cuts requests
 * that are still running.
 *
 * <p>Ownership: holds a listening socket and, without a directory, every stored byte on the heap
 * until closed.
 */
public final class EmbeddedStore implements AutoCloseable {
  private static final long LARGEST_SINGLE_PUT = 5L << 30;
  // a body whose hash is signed must be read whole before it is stored
  private static final long LARGEST_HASHED_BODY = Integer.MAX_VALUE - 16;
  private static final int LARGEST_CHUNK = 64 << 20;

  private final S3Proxy server;
  private final BlobStore objects;
  private final URI endpoint;
  private final StoreOptions options;

  private EmbeddedStore(S3Proxy server, BlobStore objects, StoreOptions options) {
    this.server = server;
    this.objects = objects;
    this.options = options;
    this.endpoint = httpUri(options.host(), server.getPort());
  }

  /**
   * Starts a store and returns once it accepts connections.
   *
   * @throws StoreException if the port is taken or the directory cannot be used
   */
  public static EmbeddedStore start(StoreOptions options) {
    BlobStore objects =
        options
            .directory()
            .map(EmbeddedStore::onDisk)
            .orElseGet(() -> new AnyKeyStore(new TransientNio2BlobStore()));
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(objects)
            .endpoint(httpUri(options.host(), options.port()))
            .awsAuthentication(
                AuthenticationType.AWS_V4, options.accessKey(), options.secretKey().reveal())
            .maxSinglePartObjectSize(LARGEST_SINGLE_PUT)
            .v4MaxNonChunkedRequestSize(LARGEST_HASHED_BODY)
            .v4MaxChunkSize(LARGEST_CHUNK)
            .ignoreUnknownHeaders(true)
            .stopTimeout(0)
            .build();
    try {
      server.start();
    } catch (Exception e) {
      objects.close();
      throw cannotListen(options, e);
    }
    return new EmbeddedStore(server, objects, options);
  }

  /** Where it listens, with the real port. */
  public URI endpoint() {
    return endpoint;
  }

  public String accessKey() {
    return options.accessKey();
  }

  public Secret secretKey() {
    return options.secretKey();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new StoreException("the embedded store did not stop: " + e.getMessage(), e);
    } finally {
      objects.close();
    }
  }

  private static BlobStore onDisk(Path directory) {
    try {
      Files.createDirectories(directory);
      // s3proxy keeps types, tags and metadata in extended attributes and would lose them silently
      Path probe = Files.createTempFile(directory, ".probe", "");
      try {
        Files.setAttribute(probe, "user:penstock", ByteBuffer.wrap(new byte[] {1}));
      } finally {
        Files.delete(probe);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new StoreException(
          "cannot keep objects in "
              + directory
              + " ("
              + e
              + "); choose a writable directory on a file system with extended attributes, or keep"
              + " them in memory",
          e);
    }
    return new FilesystemNio2BlobStore(directory.toString());
  }

  private static StoreException cannotListen(StoreOptions options, Exception failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String where = options.host() + ":" + options.port();
    return new StoreException(
        root instanceof BindException
            ? "cannot listen on " + where + " (" + root.getMessage() + "); choose another port or 0"
            : "the embedded store did not start on " + where + ": " + root,
        failure);
  }

  private static URI httpUri(String host, int port) {
    try {
      return new URI("http", null, host, port, null, null, null);
    } catch (URISyntaxException e) {
      throw new StoreException("not a host name: " + host, e);
    }
  }
}
