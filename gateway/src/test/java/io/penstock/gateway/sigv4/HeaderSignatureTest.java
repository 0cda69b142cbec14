package io.penstock.gateway.sigv4;

import static io.penstock.gateway.sigv4.SignedRequests.HOST;
import static io.penstock.gateway.sigv4.SignedRequests.NOW;
import static io.penstock.gateway.sigv4.SignedRequests.PLAIN;
import static io.penstock.gateway.sigv4.SignedRequests.SECRET;
import static io.penstock.gateway.sigv4.SignedRequests.add;
import static io.penstock.gateway.sigv4.SignedRequests.assertRefused;
import static io.penstock.gateway.sigv4.SignedRequests.assertVerified;
import static io.penstock.gateway.sigv4.SignedRequests.presigned;
import static io.penstock.gateway.sigv4.SignedRequests.signed;
import static io.penstock.gateway.sigv4.SignedRequests.signer;
import static io.penstock.gateway.sigv4.SignedRequests.verifier;
import static io.penstock.gateway.sigv4.SignedRequests.verify;
import static io.penstock.gateway.sigv4.SignedRequests.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with an Authorization field: what is refused and why. */
class HeaderSignatureTest {
  @Test
  void aSignedRequestIsVerified() {
    assertThat(verify(signed("x-amz-acl", "private", "content-md5", "x")))
        .isEqualTo(new Authentication.Verified("plain", new PayloadClaim.Sha256(Sha256.EMPTY_HEX)));
  }

  @ParameterizedTest
  @ValueSource(strings = {",", "  ,  ", " ", ",   "})
  void partsMayBeDividedInAnyWay(String divider) {
    assertVerified(verify(with(signed(), "authorization", value -> value.replace(", ", divider))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AWS plain:c2ln | INVALID_REQUEST | Signature Version 2",
        "AWS4-ECDSA-P256-SHA256 Credential=x | NOT_IMPLEMENTED | Signature Version 4A",
        "Basic dXNlcjpwYXNz | INVALID_ARGUMENT | Unsupported authorization type",
        "AWS4-HMAC-SHA256 | AUTHORIZATION_HEADER_MALFORMED | Credential",
        "AWS4-HMAC-SHA256 Credential=a/b, Signature=c | AUTHORIZATION_HEADER_MALFORMED | needed",
      })
  void otherAuthorizations(String value, S3Error error, String message) {
    assertRefused(verify(with(signed(), "authorization", _ -> value)), error, message);
  }

  @Test
  void aPartTwice() {
    assertRefused(
        verify(with(signed(), "authorization", value -> value + ", Signature=" + "0".repeat(64))),
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        "twice");
  }

  @Test
  void aMalformedCredential() {
    assertRefused(
        verify(with(signed(), "authorization", value -> value.replace("/aws4_request", ""))),
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        "credential must read");
  }

  @Test
  void twoAuthorizations() {
    assertRefused(
        verify(add(signed(), "authorization", "AWS4-HMAC-SHA256 x")),
        S3Error.INVALID_ARGUMENT,
        "more than once");
  }

  @Test
  void headerAndQueryAtOnce() {
    RequestHead head = presigned(NOW, Duration.ofHours(1), "authorization", "AWS4-HMAC-SHA256 x");
    assertRefused(verify(head), S3Error.INVALID_ARGUMENT, "more than once");
  }

  @Test
  void anUnknownKey() {
    Credential stranger = new Credential("nobody", new Secret(SECRET), Optional.empty());
    assertRefused(
        verify(signed(stranger, NOW, HOST, "/b")), S3Error.INVALID_ACCESS_KEY_ID, "not known");
  }

  @Test
  void anotherSecret() {
    Credential wrong = new Credential("plain", new Secret("wrong"), Optional.empty());
    assertRefused(
        verify(signed(wrong, NOW, HOST, "/b")),
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        "Check the secret key");
  }

  @ParameterizedTest
  @ValueSource(longs = {-901, 901, -86_400})
  void aClockThatIsOff(long seconds) {
    assertRefused(
        verify(signed(PLAIN, NOW.plusSeconds(seconds), HOST, "/b")),
        S3Error.REQUEST_TIME_TOO_SKEWED,
        "15 minutes");
  }

  @ParameterizedTest
  @ValueSource(longs = {-900, 900})
  void aClockThatIsNearlyOff(long seconds) {
    assertVerified(verify(signed(PLAIN, NOW.plusSeconds(seconds), HOST, "/b")));
  }

  @Test
  void noDate() {
    RequestHead head = signed();
    assertRefused(
        verify(
            new RequestHead(
                "GET", head.target(), head.fields().without(n -> n.equals("x-amz-date")))),
        S3Error.ACCESS_DENIED,
        "x-amz-date");
  }

  @Test
  void theDateFieldStandsInForTheStamp() {
    HttpFields fields =
        HttpFields.of(
            "host",
            HOST,
            "date",
            "Wed, 06 May 2026 07:08:09 GMT",
            "x-amz-content-sha256",
            Sha256.EMPTY_HEX);
    CredentialScope scope = new CredentialScope("20260506", "eu-west-1", "s3");
    List<String> names = List.of("date", "host", "x-amz-content-sha256");
    String signature =
        SignatureCalculator.ofRequest(
            new CanonicalRequest(
                "GET", "/b", CanonicalQuery.of(""), fields, names, Sha256.EMPTY_HEX),
            CanonicalRequest.Form.WIRE,
            SigningTime.of(NOW),
            scope,
            new SigningKey(SigningKeys.derive(PLAIN.secretKey(), scope)));
    assertVerified(
        verify(
            new RequestHead(
                "GET",
                "/b",
                fields.with(
                    "authorization",
                    "AWS4-HMAC-SHA256 Credential=plain/"
                        + scope.text()
                        + ",SignedHeaders="
                        + String.join(";", names)
                        + ",Signature="
                        + signature))));
  }

  @Test
  void anotherDayInTheScope() {
    assertRefused(
        verify(with(signed(), "authorization", value -> value.replace("20260506", "20260505"))),
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        "not the day");
  }

  @Test
  void anotherService() {
    assertRefused(
        verify(with(signed(), "authorization", value -> value.replace("/s3/", "/sts/"))),
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        "sign for 's3'");
  }

  @Test
  void theRegionMattersOnlyWhereOneIsRequired() {
    assertVerified(verifier(Optional.of("eu-west-1"), SignedHosts.WIRE).verify(signed()));
    assertRefused(
        verifier(Optional.of("us-east-1"), SignedHosts.WIRE).verify(signed()),
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        "expecting 'us-east-1'");
  }

  @Test
  void aSignedFieldThatWasRemoved() {
    RequestHead head = signed("x-amz-meta-a", "1");
    assertRefused(
        verify(
            new RequestHead(
                "GET", head.target(), head.fields().without(n -> n.equals("x-amz-meta-a")))),
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        "'x-amz-meta-a' did not arrive");
  }

  @Test
  void anUnsignedHost() {
    assertRefused(
        verify(with(signed(), "authorization", value -> value.replace("=host;", "="))),
        S3Error.ACCESS_DENIED,
        "Host header must be signed");
  }

  @Test
  void aSecondHost() {
    assertRefused(verify(add(signed(), "host", HOST)), S3Error.INVALID_REQUEST, "one Host");
  }

  @Test
  void aSecondPayloadHash() {
    assertRefused(
        verify(add(signed(), "x-amz-content-sha256", Sha256.EMPTY_HEX)),
        S3Error.INVALID_REQUEST,
        "not several");
  }

  @Test
  void unsignedFieldsOfS3() {
    assertRefused(
        verify(add(signed(), "X-Amz-Acl", "public-read")),
        S3Error.ACCESS_DENIED,
        "not signed: x-amz-acl");
    assertVerified(
        verify(add(signed(), "x-amz-user-agent", "aws-sdk-php", "x-amz-cf-id", "a", "range", "b")));
  }

  @Test
  void aFieldThatOnlyTheSignatureWouldCover() {
    // a changed payload hash changes the signature even though the field need not be listed
    assertRefused(
        verify(with(signed(), "x-amz-content-sha256", _ -> "UNSIGNED-PAYLOAD")),
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        "does not match");
  }

  @ParameterizedTest
  @CsvSource({"STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD,NOT_IMPLEMENTED", "abc,INVALID_ARGUMENT"})
  void otherPayloadForms(String hash, S3Error error) {
    HttpFields fields = signer(PLAIN, NOW).sign("PUT", HOST, "/b/k", "", HttpFields.EMPTY, hash);
    assertRefused(verify(new RequestHead("PUT", "/b/k", fields)), error, "x-amz-content-sha256");
  }

  @Test
  void noPayloadHashIsFineOnlyWithoutABody() {
    HttpFields fields =
        signer(PLAIN, NOW)
            .sign("GET", HOST, "/b/k", "", HttpFields.EMPTY, Sha256.EMPTY_HEX)
            .without(name -> name.equals("x-amz-content-sha256"));
    List<String> names = List.of("host", "x-amz-date");
    CredentialScope scope = new CredentialScope("20260506", "eu-west-1", "s3");
    String signature =
        SignatureCalculator.ofRequest(
            new CanonicalRequest(
                "GET", "/b/k", CanonicalQuery.of(""), fields, names, Sha256.EMPTY_HEX),
            CanonicalRequest.Form.WIRE,
            SigningTime.of(NOW),
            scope,
            new SigningKey(SigningKeys.derive(PLAIN.secretKey(), scope)));
    HttpFields bare =
        fields.with(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=plain/"
                + scope.text()
                + ", SignedHeaders=host;x-amz-date, Signature="
                + signature);
    assertVerified(verify(new RequestHead("GET", "/b/k", bare)));
    assertRefused(
        verify(new RequestHead("GET", "/b/k", bare.with("content-length", "1"))),
        S3Error.INVALID_REQUEST,
        "Missing required header for this request: x-amz-content-sha256");
  }

  @Test
  void signedChunksCarryTheirChain() {
    HttpFields fields =
        signer(PLAIN, NOW)
            .sign("PUT", HOST, "/b/k", "", HttpFields.EMPTY, PayloadClaims.SIGNED_CHUNKS_TRAILER);
    assertThat(verify(new RequestHead("PUT", "/b/k", fields)))
        .isInstanceOfSatisfying(
            Authentication.Verified.class,
            who ->
                assertThat(who.payload())
                    .isInstanceOfSatisfying(
                        PayloadClaim.SignedChunks.class,
                        chunks -> {
                          assertThat(chunks.trailer()).isTrue();
                          assertThat(chunks.signing().scope())
                              .isEqualTo("20260506/eu-west-1/s3/aws4_request");
                          assertThat(fields.get("authorization").orElseThrow())
                              .endsWith("Signature=" + chunks.signing().seedSignature());
                        }));
  }
}
