package io.penstock.gateway.batch;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.wire.BatchView;
import io.penstock.arrow.wire.ItemHead;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.Label;
import io.penstock.gateway.testing.Stack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Asks for batches, signed, and reads them with the protocol's own reader. */
final class BatchClient implements AutoCloseable {
  private final URI gateway;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  BatchClient(URI gateway) {
    this.gateway = gateway;
  }

  /** One row as it was read. */
  record Row(ItemHead head, ItemStatus status, Label label, Optional<byte[]> payload) {
    String code() {
      return status instanceof ItemStatus.Failed failed ? failed.code() : "";
    }
  }

  /**
   * A whole stream.
   *
   * @param error the code of the error it ended with
   */
  record Stream(List<List<Row>> batches, Optional<String> error) {
    List<Row> rows() {
      return batches.stream().flatMap(List::stream).toList();
    }
  }

  HttpResponse<byte[]> post(String path, String json) throws Exception {
    return http.send(request(path, json), HttpResponse.BodyHandlers.ofByteArray());
  }

  HttpResponse<InputStream> open(String path, String json) throws Exception {
    return http.send(request(path, json), HttpResponse.BodyHandlers.ofInputStream());
  }

  /** The sum over all series of that name whose labels contain {@code labels}. */
  double metric(String name, String labels, URI admin) throws Exception {
    return http.send(
            HttpRequest.newBuilder(admin.resolve("/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name) && line.contains(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** A stream that is read to its end; a refusal is an {@link AssertionError}. */
  Stream batch(String path, String json) throws Exception {
    HttpResponse<InputStream> answer = open(path, json);
    if (answer.statusCode() != 200) {
      throw new AssertionError(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
    }
    return read(answer.body());
  }

  static Stream read(byte[] stream) throws IOException {
    return read(new ByteArrayInputStream(stream));
  }

  static Stream read(InputStream stream) throws IOException {
    List<List<Row>> batches = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      BatchReader reader =
          new BatchReader(
              Channels.newChannel(stream), new ArrowBlockSource(allocator), ReadLimits.DEFAULT);
      while (true) {
        try (ReceivedBatch batch = reader.next().orElse(null)) {
          if (batch == null) {
            return new Stream(batches, Optional.empty());
          }
          batches.add(rows(batch));
        }
      }
    } catch (BatchStreamException e) {
      return new Stream(
          batches, Optional.of(e.error().map(error -> error.code()).orElse(e.reason().name())));
    }
  }

  /** The metadata of a stream's schema. */
  static Map<String, String> metadata(byte[] stream) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return new BatchReader(
              Channels.newChannel(new ByteArrayInputStream(stream)),
              new ArrowBlockSource(allocator),
              ReadLimits.DEFAULT)
          .schema()
          .getCustomMetadata();
    }
  }

  private static List<Row> rows(ReceivedBatch batch) {
    BatchView view = new BatchView(batch);
    var payload = batch.columns().getLast();
    boolean tensors = view.tensorSpec(payload.field().getName()).isPresent();
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < view.rows(); row++) {
      var bytes = tensors ? payload.tensor(row) : payload.bytes(row);
      rows.add(
          new Row(
              view.head(row),
              view.status(row),
              view.label(row),
              bytes.map(segment -> segment.toArray(ValueLayout.JAVA_BYTE))));
    }
    return rows;
  }

  HttpRequest request(String path, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    SdkHttpRequest plain =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(gateway.resolve(path))
            .putHeader("host", gateway.getAuthority())
            .build();
    SdkHttpRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                sign ->
                    sign.request(plain)
                        .payload(() -> new ByteArrayInputStream(body))
                        .identity(AwsCredentialsIdentity.create(Stack.ACCESS_KEY, Stack.SECRET_KEY))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
            .request();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(gateway.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    signed.forEachHeader(
        (name, values) -> {
          if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
            values.forEach(value -> request.header(name, value));
          }
        });
    return request.build();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
