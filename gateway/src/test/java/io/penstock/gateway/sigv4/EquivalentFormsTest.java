package io.penstock.gateway.sigv4;

import static io.penstock.gateway.sigv4.SignedRequests.HOST;
import static io.penstock.gateway.sigv4.SignedRequests.NOW;
import static io.penstock.gateway.sigv4.SignedRequests.PLAIN;
import static io.penstock.gateway.sigv4.SignedRequests.add;
import static io.penstock.gateway.sigv4.SignedRequests.assertRefused;
import static io.penstock.gateway.sigv4.SignedRequests.assertVerified;
import static io.penstock.gateway.sigv4.SignedRequests.signed;
import static io.penstock.gateway.sigv4.SignedRequests.target;
import static io.penstock.gateway.sigv4.SignedRequests.verify;
import static io.penstock.gateway.sigv4.SignedRequests.with;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Differences between what was signed and what arrived that mean nothing, and some that do. */
class EquivalentFormsTest {
  @ParameterizedTest
  @CsvSource({
    "/b/a%2Bb, /b/a+b",
    "/b/~x, /b/%7Ex",
    "/b/%C3%A9, /b/%c3%a9",
    "/b/(1)%21, /b/(1)%21",
    "/b/a%2fb, /b/a%2fb",
    "/b/a//b, /b/a/%2Fb",
  })
  void spellingsOfOnePath(String signedPath, String wirePath) {
    RequestHead head = signed(PLAIN, NOW, HOST, signedPath);
    assertVerified(verify(new RequestHead("GET", wirePath, head.fields())));
  }

  @ParameterizedTest
  @CsvSource({"/b/a%2Fb, /b/a/b", "/b/a, /b//a", "/b/a, /b/./a"})
  void pathsThatAreNotTheSame(String signedPath, String wirePath) {
    RequestHead head = signed(PLAIN, NOW, HOST, signedPath);
    assertRefused(
        verify(new RequestHead("GET", wirePath, head.fields())),
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        "");
  }

  @Test
  void anAbsoluteTarget() {
    RequestHead head = signed();
    assertVerified(verify(target(head, value -> "http://" + HOST + value)));
  }

  @ParameterizedTest
  @CsvSource({
    "s3.example.com, s3.example.com:443",
    "s3.example.com, s3.example.com:80",
    "s3.example.com:443, s3.example.com",
    "s3.example.com:80, s3.example.com",
    "[::1], [::1]:80",
  })
  void theDefaultPort(String signedHost, String wireHost) {
    RequestHead head = signed(PLAIN, NOW, signedHost, "/b");
    assertVerified(verify(with(head, "host", _ -> wireHost)));
  }

  @Test
  void anotherPortIsAnotherHost() {
    RequestHead head = signed(PLAIN, NOW, HOST + ":9000", "/b");
    assertRefused(verify(with(head, "host", _ -> HOST)), S3Error.SIGNATURE_DOES_NOT_MATCH, HOST);
  }

  @Test
  void runsOfSpacesSignedAsTheyAre() {
    HttpFields collapsed = HttpFields.of("host", HOST, "x-amz-meta-a", "a  b");
    RequestHead head = signed("x-amz-meta-a", "a b");
    assertVerified(verify(with(head, "x-amz-meta-a", _ -> "  a   b ")));
    CredentialScope scope = new CredentialScope("20260506", "eu-west-1", "s3");
    CanonicalRequest request =
        new CanonicalRequest(
            "GET",
            "/b/k",
            CanonicalQuery.of(""),
            collapsed,
            List.of("host", "x-amz-meta-a"),
            Sha256.EMPTY_HEX);
    String signature =
        SignatureCalculator.ofRequest(
            request,
            new CanonicalRequest.Form(false, false, Optional.empty()),
            SigningTime.of(NOW),
            scope,
            new SigningKey(SigningKeys.derive(PLAIN.secretKey(), scope)));
    assertVerified(
        verify(
            add(
                new RequestHead("GET", "/b/k", collapsed),
                "x-amz-date",
                SigningTime.of(NOW).text(),
                "authorization",
                "AWS4-HMAC-SHA256 Credential=plain/"
                    + scope.text()
                    + ", SignedHeaders=host;x-amz-meta-a, Signature="
                    + signature)));
  }
}
