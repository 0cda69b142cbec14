package io.penstock.gateway.app.cli;

import io.penstock.gateway.app.cli.Shipment.Parcel;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Uploads a shipment with an unchanged S3 client and reads it back, several requests at a time. A
 * byte that comes back different ends the run: a measurement of wrong bytes is worth nothing.
 *
 * <p>Threading: {@link #run} blocks its caller and uses threads of its own.
 */
final class RoundTrip {
  private final S3Client s3;
  private final String bucket;
  private final int clients;

  RoundTrip(S3Client s3, String bucket, int clients) {
    this.s3 = s3;
    this.bucket = bucket;
    this.clients = clients;
  }

  /** What one shipment took; the first byte is the median over its reads. */
  record Times(Duration upload, Duration read, Duration firstByte) {}

  private interface Work {
    void on(int index, Parcel parcel) throws IOException;
  }

  /**
   * Runs it.
   *
   * @throws CommandFailure if a request failed or the bytes differ
   */
  Times run(Shipment shipment, ProgressLine progress) throws InterruptedException {
    Duration upload = each(shipment, progress.phase("uploading " + shipment.title()), this::put);
    long[] firstBytes = new long[shipment.objects()];
    Duration read =
        each(
            shipment,
            progress.phase("reading " + shipment.title()),
            (index, parcel) -> firstBytes[index] = readBack(parcel));
    Arrays.sort(firstBytes);
    return new Times(upload, read, Duration.ofNanos(firstBytes[firstBytes.length / 2]));
  }

  private void put(int index, Parcel parcel) {
    s3.putObject(b -> b.bucket(bucket).key(parcel.key()), RequestBody.fromBytes(parcel.body()));
  }

  /** Nanoseconds to the first byte. */
  long readBack(Parcel parcel) throws IOException {
    long start = System.nanoTime();
    try (InputStream body = s3.getObject(b -> b.bucket(bucket).key(parcel.key()))) {
      int first = body.read();
      long firstByte = System.nanoTime() - start;
      compare(parcel, first, body);
      return firstByte;
    }
  }

  private static void compare(Parcel parcel, int first, InputStream rest) throws IOException {
    byte[] sent = parcel.body();
    byte[] buffer = new byte[64 * 1024];
    int position = 1;
    boolean same = sent.length > 0 && first == (sent[0] & 0xff);
    for (int n = rest.read(buffer); same && n >= 0; n = rest.read(buffer)) {
      same =
          position + n <= sent.length && Arrays.equals(sent, position, position + n, buffer, 0, n);
      position += same ? n : 0;
    }
    if (!same || position != sent.length) {
      throw CommandFailure.failed(
          parcel.key() + " came back different from byte " + position + " of " + sent.length);
    }
  }

  private Duration each(Shipment shipment, ProgressLine.Phase phase, Work work)
      throws InterruptedException {
    List<Parcel> parcels = shipment.parcels();
    var next = new AtomicInteger();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      var running = new ArrayList<Future<?>>();
      for (int client = 0; client < clients; client++) {
        running.add(
            threads.submit(
                () -> {
                  for (int i = next.getAndIncrement();
                      i < parcels.size();
                      i = next.getAndIncrement()) {
                    work.on(i, parcels.get(i));
                    phase.step(i + 1, parcels.size());
                  }
                  return null;
                }));
      }
      for (Future<?> client : running) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CommandFailure known
          ? known
          : CommandFailure.failed("a request through the gateway failed", e);
    }
    phase.end();
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
