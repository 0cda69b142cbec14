package io.penstock.gateway.app.cli;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.memory.OwnBlocks;
import io.penstock.arrow.wire.BatchView;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.config.Secret;
import io.penstock.gateway.app.cli.Shipment.Parcel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Asks for many pictures at once, decoded by the gateway, and reads the stream to its end. An item
 * that failed ends the run.
 *
 * <p>Threading: {@link #run} blocks its caller.
 */
final class BatchTrip {
  static final int SIDE = 224;
  private static final int BATCH = 64;
  private static final long MOST_MEMORY = 256 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final URI gateway;
  private final String accessKey;
  private final Secret secretKey;

  BatchTrip(URI gateway, String accessKey, Secret secretKey) {
    this.gateway = gateway;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  /**
   * What came.
   *
   * @param schema the columns and their Arrow types
   * @param bytes of the tensors
   */
  record Result(String schema, int batches, int rows, long bytes, Duration time) {}

  /**
   * Fetches the parcels in one request.
   *
   * @throws CommandFailure if the gateway refused it, the stream broke, or an item failed
   */
  Result run(String bucket, List<Parcel> parcels, ProgressLine.Phase phase)
      throws InterruptedException {
    long start = System.nanoTime();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<InputStream> answer =
          http.send(request(bucket, parcels), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        if (answer.statusCode() != 200) {
          throw CommandFailure.failed(
              "the gateway refused a batch: "
                  + new String(body.readNBytes(2000), StandardCharsets.UTF_8));
        }
        return read(body, parcels.size(), start, phase);
      }
    } catch (IOException e) {
      throw CommandFailure.failed("a batch did not come whole", e);
    }
  }

  private static Result read(InputStream body, int items, long start, ProgressLine.Phase phase)
      throws IOException {
    int batches = 0;
    int rows = 0;
    long bytes = 0;
    try (var memory = new OwnBlocks(MOST_MEMORY)) {
      var reader = new BatchReader(Channels.newChannel(body), memory, ReadLimits.DEFAULT);
      String schema = reader.columns();
      while (true) {
        try (ReceivedBatch batch = reader.next().orElse(null)) {
          if (batch == null) {
            phase.end();
            return new Result(
                schema, batches, rows, bytes, Duration.ofNanos(System.nanoTime() - start));
          }
          batches++;
          rows += batch.rows();
          bytes += tensors(batch);
          phase.step(rows, items);
        }
      }
    }
  }

  private static long tensors(ReceivedBatch batch) {
    BatchView view = new BatchView(batch);
    for (int row = 0; row < batch.rows(); row++) {
      if (view.status(row) instanceof ItemStatus.Failed failed) {
        throw CommandFailure.failed(view.head(row).key() + ": " + failed.message());
      }
    }
    return batch.rows() * view.tensorSpec("tensor").orElseThrow().bytesPerSample();
  }

  private HttpRequest request(String bucket, List<Parcel> parcels) {
    String keys =
        parcels.stream().map(parcel -> '"' + parcel.key() + '"').collect(Collectors.joining(","));
    String json =
        """
        {"version": 1, "bucket": "%s", "items": [%s], "batch-size": %d,
         "decode": {"as": "image", "height": %d, "width": %d}}"""
            .formatted(bucket, keys, BATCH, SIDE, SIDE);
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    URI target = gateway.resolve("/-/batch");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    signed(target, body)
        .forEachHeader(
            (name, values) -> {
              // the client sends these two itself
              if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
                values.forEach(value -> request.header(name, value));
              }
            });
    return request.build();
  }

  private SdkHttpRequest signed(URI target, byte[] body) {
    SdkHttpRequest plain =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(target)
            .putHeader("host", target.getAuthority())
            .build();
    return AwsV4HttpSigner.create()
        .sign(
            sign ->
                sign.request(plain)
                    .payload(() -> new ByteArrayInputStream(body))
                    .identity(AwsCredentialsIdentity.create(accessKey, secretKey.reveal()))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, QuickstartClient.REGION.id())
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
        .request();
  }
}
