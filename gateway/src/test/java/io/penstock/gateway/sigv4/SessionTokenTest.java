package io.penstock.gateway.sigv4;

import static io.penstock.gateway.sigv4.SignedRequests.HOST;
import static io.penstock.gateway.sigv4.SignedRequests.NOW;
import static io.penstock.gateway.sigv4.SignedRequests.PLAIN;
import static io.penstock.gateway.sigv4.SignedRequests.TEMPORARY;
import static io.penstock.gateway.sigv4.SignedRequests.assertRefused;
import static io.penstock.gateway.sigv4.SignedRequests.assertVerified;
import static io.penstock.gateway.sigv4.SignedRequests.signed;
import static io.penstock.gateway.sigv4.SignedRequests.signer;
import static io.penstock.gateway.sigv4.SignedRequests.verify;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Temporary credentials, and requests without any. */
class SessionTokenTest {
  @Test
  void theTokenMustBeThere() {
    assertVerified(verify(signed(TEMPORARY, NOW, HOST, "/b")));
    Credential without = new Credential("temporary", TEMPORARY.secretKey(), Optional.empty());
    assertRefused(verify(signed(without, NOW, HOST, "/b")), S3Error.INVALID_TOKEN, "token");
  }

  @Test
  void theTokenMustBeTheRightOne() {
    Credential other =
        new Credential("temporary", TEMPORARY.secretKey(), Optional.of(new Secret("token/other")));
    assertRefused(verify(signed(other, NOW, HOST, "/b")), S3Error.INVALID_TOKEN, "token");
    Credential needless =
        new Credential("plain", PLAIN.secretKey(), Optional.of(new Secret("token/+=")));
    assertRefused(verify(signed(needless, NOW, HOST, "/b")), S3Error.INVALID_TOKEN, "token");
  }

  @Test
  void theTokenOfAPresignedUrl() {
    String query = signer(TEMPORARY, NOW).presign("GET", HOST, "/b/k", "", Duration.ofMinutes(5));
    assertVerified(verify(new RequestHead("GET", "/b/k?" + query, HttpFields.of("host", HOST))));
  }

  private PayloadClaim claim(String... fields) {
    Authentication who = verify(new RequestHead("PUT", "/b/k", HttpFields.of(fields)));
    assertThat(who).isInstanceOf(Authentication.Anonymous.class);
    return ((Authentication.Anonymous) who).payload();
  }

  @Test
  void theBodyHasTheFormItSays() {
    assertThat(claim()).isEqualTo(new PayloadClaim.Unsigned());
    assertThat(claim("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"))
        .isEqualTo(new PayloadClaim.UnsignedChunks());
  }

  @Test
  void framingIsSeenWithoutThePayloadHash() {
    assertThat(claim("Content-Encoding", "gzip, aws-chunked", "X-Amz-Decoded-Content-Length", "3"))
        .isEqualTo(new PayloadClaim.UnsignedChunks());
  }

  @Test
  void signedChunksCannotBe() {
    assertRefused(
        verify(
            new RequestHead(
                "PUT",
                "/b/k",
                HttpFields.of("x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"))),
        S3Error.INVALID_REQUEST,
        "Signed chunks need");
  }
}
