package io.penstock.gateway.sigv4;

import static io.penstock.gateway.sigv4.SignedRequests.HOST;
import static io.penstock.gateway.sigv4.SignedRequests.NOW;
import static io.penstock.gateway.sigv4.SignedRequests.assertRefused;
import static io.penstock.gateway.sigv4.SignedRequests.assertVerified;
import static io.penstock.gateway.sigv4.SignedRequests.presigned;
import static io.penstock.gateway.sigv4.SignedRequests.target;
import static io.penstock.gateway.sigv4.SignedRequests.verify;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.UriEncoding;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests signed in their query: what is refused and why. */
class PresignedUrlTest {
  @Test
  void aPresignedUrlIsVerified() {
    assertThat(verify(presigned(NOW, Duration.ofHours(1))))
        .isEqualTo(new Authentication.Verified("plain", new PayloadClaim.Unsigned()));
  }

  @Test
  void theOrderOfParametersDoesNotMatter() {
    assertVerified(
        verify(
            target(
                presigned(NOW, Duration.ofHours(1)),
                value -> value.replace("?versionId=1&", "?") + "&versionId=1")));
  }

  @Test
  void itExpires() {
    assertVerified(verify(presigned(NOW.minusSeconds(3600), Duration.ofHours(1))));
    assertRefused(
        verify(presigned(NOW.minusSeconds(3601), Duration.ofHours(1))),
        S3Error.ACCESS_DENIED,
        "Request has expired");
  }

  @Test
  void itIsNotYetValid() {
    assertVerified(verify(presigned(NOW.plusSeconds(900), Duration.ofHours(1))));
    assertRefused(
        verify(presigned(NOW.plusSeconds(901), Duration.ofHours(1))),
        S3Error.ACCESS_DENIED,
        "not yet valid");
  }

  @Test
  void aWeekIsTheLongest() {
    assertVerified(verify(presigned(NOW.minusSeconds(9), Duration.ofDays(7))));
    assertRefused(
        verify(presigned(NOW, Duration.ofDays(7).plusSeconds(1))),
        S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR,
        "604800");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Amz-Algorithm",
        "X-Amz-Credential",
        "X-Amz-Date",
        "X-Amz-Expires",
        "X-Amz-SignedHeaders",
        "X-Amz-Signature"
      })
  void aMissingParameter(String name) {
    assertRefused(
        verify(
            target(presigned(NOW, Duration.ofHours(1)), value -> value.replace(name, "X-Other"))),
        S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR,
        name);
  }

  @ParameterizedTest
  @CsvSource({"-1,non-negative", "abc,number", "'',number"})
  void anOddExpiry(String expiry, String message) {
    assertRefused(
        verify(
            target(
                presigned(NOW, Duration.ofHours(1)),
                value -> value.replace("Expires=3600", "Expires=" + expiry))),
        S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR,
        message);
  }

  @Test
  void anUnsignedFieldOfS3() {
    assertRefused(
        verify(presigned(NOW, Duration.ofHours(1), "x-amz-acl", "public-read")),
        S3Error.ACCESS_DENIED,
        "not signed: x-amz-acl");
  }

  @Test
  void thePayloadHashNeedNotBeSignedButIsHeeded() {
    assertThat(
            verify(presigned(NOW, Duration.ofHours(1), "x-amz-content-sha256", Sha256.EMPTY_HEX)))
        .isEqualTo(new Authentication.Verified("plain", new PayloadClaim.Sha256(Sha256.EMPTY_HEX)));
    assertRefused(
        verify(
            presigned(
                NOW,
                Duration.ofHours(1),
                "x-amz-content-sha256",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")),
        S3Error.INVALID_REQUEST,
        "presigned URL cannot carry signed chunks");
  }

  @Test
  void aSignedPayloadHashIsNotSwitchedOffByAFieldThatNobodySigned() {
    RequestHead head = withPayloadHash(Sha256.EMPTY_HEX);
    var promised = new Authentication.Verified("plain", new PayloadClaim.Sha256(Sha256.EMPTY_HEX));
    assertThat(verify(head)).isEqualTo(promised);
    assertThat(verify(SignedRequests.add(head, "x-amz-content-sha256", "UNSIGNED-PAYLOAD")))
        .isEqualTo(promised);
  }

  /** A URL whose signature covers the hash of the one body that may be sent with it. */
  private static RequestHead withPayloadHash(String hash) {
    SigningTime time = SigningTime.of(NOW);
    CredentialScope scope = new CredentialScope(time.day(), "eu-west-1", "s3");
    String query =
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Content-Sha256="
            + hash
            + "&X-Amz-Credential="
            + UriEncoding.encode("plain/" + scope.text())
            + "&X-Amz-Date="
            + time.text()
            + "&X-Amz-Expires=60&X-Amz-SignedHeaders=host";
    CanonicalRequest request =
        new CanonicalRequest(
            "PUT",
            "/b/k",
            CanonicalQuery.of(query),
            HttpFields.of("host", SignedRequests.HOST),
            List.of("host"),
            hash);
    SigningKey key = new SigningKeys(1).get(SignedRequests.PLAIN.secretKey(), scope);
    String signature =
        SignatureCalculator.ofRequest(request, CanonicalRequest.Form.WIRE, time, scope, key);
    return new RequestHead(
        "PUT",
        "/b/k?" + query + "&X-Amz-Signature=" + signature,
        HttpFields.of("host", SignedRequests.HOST));
  }

  @Test
  void theOldKind() {
    assertRefused(
        verify(
            new RequestHead(
                "GET",
                "/b/k?AWSAccessKeyId=plain&Expires=1&Signature=x%3D",
                HttpFields.of("host", HOST))),
        S3Error.INVALID_REQUEST,
        "Signature Version 2");
  }
}
