package io.penstock.gateway.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Signs as the AWS SDK for Java does, and turns the result into what arrives on the wire. */
final class SdkSigning {
  static final Instant TIME = Instant.parse("2026-03-04T05:06:07Z");
  static final String ACCESS_KEY = "AKID/with+odd=chars";
  private static final String SECRET = "secret/with+odd=chars";
  private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();
  static final SigV4Verifier VERIFIER =
      new SigV4Verifier(
          key ->
              key.equals(ACCESS_KEY)
                  ? Optional.of(new Credential(key, new Secret(SECRET), Optional.empty()))
                  : Optional.empty(),
          InstantSource.fixed(TIME.plusSeconds(60)),
          Optional.empty(),
          SignedHosts.WIRE);

  /** A signed head and the body as it would be sent. */
  record Sent(RequestHead head, byte[] body) {}

  private SdkSigning() {}

  static Sent sign(
      SdkHttpRequest request,
      byte[] body,
      Consumer<SignRequest.Builder<AwsCredentialsIdentity>> options) {
    SignedRequest signed =
        SIGNER.sign(
            builder -> {
              builder
                  .identity(AwsCredentialsIdentity.create(ACCESS_KEY, SECRET))
                  .request(request)
                  .payload(ContentStreamProvider.fromByteArray(body))
                  .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                  .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-central-1")
                  .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                  .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                  .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(TIME, ZoneOffset.UTC));
              options.accept(builder);
            });
    try {
      byte[] wire =
          signed.payload().isEmpty()
              ? new byte[0]
              : signed.payload().get().newStream().readAllBytes();
      return new Sent(head(signed.request()), wire);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RequestHead head(SdkHttpRequest request) {
    HttpFields.Builder fields = HttpFields.builder();
    request.forEachHeader(
        (name, values) -> values.forEach(value -> fields.add(name, onTheWire(value))));
    String query = request.encodedQueryParameters().map(q -> '?' + q).orElse("");
    return new RequestHead(request.method().name(), request.encodedPath() + query, fields.build());
  }

  /** UTF-8, one character for each byte. */
  private static String onTheWire(String value) {
    return new String(value.getBytes(UTF_8), ISO_8859_1);
  }
}
