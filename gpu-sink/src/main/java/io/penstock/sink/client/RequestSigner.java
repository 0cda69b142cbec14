package io.penstock.sink.client;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * The head of a signed request, by the AWS SDK's signer: the one place that knows it.
 *
 * <p>Threading: any.
 */
final class RequestSigner {
  private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

  private final GatewayAddress address;
  private final Clock clock;

  RequestSigner(GatewayAddress address, Clock clock) {
    this.address = address;
    this.clock = clock;
  }

  /** Request line and fields of a {@code POST}, up to the empty line. */
  byte[] head(String path, byte[] body) {
    SdkHttpRequest plain =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(URI.create(address.endpoint().getScheme() + "://" + address.host() + path))
            .putHeader("host", address.host())
            .putHeader("content-type", "application/json")
            .build();
    SdkHttpRequest signed =
        SIGNER
            .sign(
                sign ->
                    sign.request(plain)
                        .payload(() -> new ByteArrayInputStream(body))
                        .identity(identity())
                        .putProperty(HttpSigner.SIGNING_CLOCK, clock)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, address.region())
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
            .request();
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\n");
    signed.forEachHeader(
        (name, values) -> {
          if (!name.equalsIgnoreCase("content-length")) {
            values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n"));
          }
        });
    head.append("content-length: ").append(body.length).append("\r\n");
    head.append("connection: close\r\n\r\n");
    return head.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private AwsCredentialsIdentity identity() {
    Credentials keys = address.credentials();
    return keys.sessionToken()
        .<AwsCredentialsIdentity>map(
            token ->
                AwsSessionCredentialsIdentity.create(
                    keys.accessKey(), keys.secretKey().reveal(), token.reveal()))
        .orElseGet(
            () -> AwsCredentialsIdentity.create(keys.accessKey(), keys.secretKey().reveal()));
  }
}
