package io.penstock.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.plan.Scenario;
import io.penstock.loadtest.sign.RequestSigner;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Map;

/**
 * Puts the objects of a scenario into a store that does not invent them, each with its own content,
 * so that a verified run can read them back.
 *
 * <p>Threading: blocks its caller.
 */
public final class ObjectSeeder {
  private final Target target;
  private final InstantSource clock;
  private final RequestSigner signer;

  public ObjectSeeder(Target target, InstantSource clock) {
    this.target = target;
    this.clock = clock;
    this.signer = new RequestSigner(target.keys());
  }

  /**
   * Creates the bucket and puts every object.
   *
   * @throws IOException when the store refuses one
   */
  public void seed(Scenario scenario) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      String bucket = "/" + scenario.objects().bucket();
      int status = put(http, bucket, 0, 0).statusCode();
      if (status >= 300 && status != 409) {
        throw new IOException("cannot create bucket " + bucket + ": status " + status);
      }
      for (long size : scenario.objects().sizes().values()) {
        for (int n = 0; n < scenario.objects().count(); n++) {
          String path = bucket + "/" + Scenario.Objects.key(size, n);
          HttpResponse<String> put = put(http, path, size, n);
          if (put.statusCode() != 200) {
            throw new IOException(
                "cannot put " + path + ": status " + put.statusCode() + " " + put.body());
          }
        }
      }
    }
  }

  private HttpResponse<String> put(HttpClient http, String path, long size, int n)
      throws IOException, InterruptedException {
    var unsigned =
        new RequestSigner.Unsigned(
            "PUT", path, "", Map.of("host", target.authority()), RequestSigner.UNSIGNED_PAYLOAD);
    var request =
        HttpRequest.newBuilder(target.endpoint().resolve(path))
            .PUT(
                BodyPublishers.concat(
                    Content.slices(n, 0, size).stream()
                        .map(ObjectSeeder::publisher)
                        .toArray(HttpRequest.BodyPublisher[]::new)));
    signer
        .sign(unsigned, clock.instant())
        .headers()
        .forEach(
            (name, value) -> {
              if (!name.equals("host")) {
                request.setHeader(name, value);
              }
            });
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.BodyPublisher publisher(ByteBuf piece) {
    byte[] bytes = new byte[piece.readableBytes()];
    piece.getBytes(piece.readerIndex(), bytes);
    return BodyPublishers.ofByteArray(bytes);
  }
}
