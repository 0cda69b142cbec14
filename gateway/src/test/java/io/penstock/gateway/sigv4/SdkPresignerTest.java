package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.presigner.PresignedRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** URLs of the SDK's own presigner, which reads the clock of the machine. */
class SdkPresignerTest {
  private static final Credential CREDENTIAL =
      new Credential(
          "key",
          new io.penstock.config.Secret("secret"),
          Optional.of(new io.penstock.config.Secret("token+/=")));
  private static final Duration VALIDITY = Duration.ofHours(1);

  private static RequestHead head(PresignedRequest request) {
    HttpFields.Builder fields = HttpFields.builder();
    for (Map.Entry<String, List<String>> field : request.signedHeaders().entrySet()) {
      field.getValue().forEach(value -> fields.add(field.getKey(), value));
    }
    return new RequestHead(
        request.httpRequest().method().name(), request.url().getFile(), fields.build());
  }

  private static Authentication verify(RequestHead head, Instant now) {
    return new SigV4Verifier(
            _ -> Optional.of(CREDENTIAL),
            InstantSource.fixed(now),
            Optional.empty(),
            SignedHosts.WIRE)
        .verify(head);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:9000", "https://s3.example.com"})
  void getAndPutAreAcceptedUntilTheyExpire(String endpoint) {
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(URI.create(endpoint))
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsSessionCredentials.create("key", "secret", "token+/=")))
            .build()) {
      Instant now = Instant.now();
      List<PresignedRequest> requests =
          List.of(
              presigner.presignGetObject(
                  p ->
                      p.signatureDuration(VALIDITY)
                          .getObjectRequest(g -> g.bucket("bucket").key("a+b c/é//x%2Fy"))),
              presigner.presignPutObject(
                  p ->
                      p.signatureDuration(VALIDITY)
                          .putObjectRequest(
                              put ->
                                  put.bucket("bucket")
                                      .key("k")
                                      .contentType("text/plain")
                                      .acl(ObjectCannedACL.PRIVATE)
                                      .metadata(Map.of("a", "b")))));
      for (PresignedRequest request : requests) {
        RequestHead head = head(request);
        assertThat(verify(head, now))
            .isEqualTo(new Authentication.Verified("key", new PayloadClaim.Unsigned()));
        assertThat(verify(head, now.plus(VALIDITY).plusSeconds(60)))
            .isInstanceOf(Authentication.Refused.class);
      }
    }
  }
}
