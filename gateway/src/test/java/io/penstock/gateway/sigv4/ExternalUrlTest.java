package io.penstock.gateway.sigv4;

import static io.penstock.gateway.sigv4.SignedRequests.NOW;
import static io.penstock.gateway.sigv4.SignedRequests.PLAIN;
import static io.penstock.gateway.sigv4.SignedRequests.assertRefused;
import static io.penstock.gateway.sigv4.SignedRequests.assertVerified;
import static io.penstock.gateway.sigv4.SignedRequests.signed;
import static io.penstock.gateway.sigv4.SignedRequests.verifier;
import static io.penstock.gateway.sigv4.SignedRequests.with;

import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy in front that puts its own name into Host. */
class ExternalUrlTest {
  private final SigV4Verifier behindProxy =
      verifier(
          Optional.empty(),
          new SignedHosts(
              Optional.of(URI.create("https://public.example.com")),
              List.of("internal", "deep.internal")));

  private Authentication verifyAt(String signedHost, String wireHost) {
    RequestHead head = signed(PLAIN, NOW, signedHost, "/b/k");
    return behindProxy.verify(with(head, "host", _ -> wireHost));
  }

  @ParameterizedTest
  @CsvSource({
    "public.example.com, 10.0.0.1:9000",
    "public.example.com:443, gateway",
    "public.example.com, internal",
    "bucket.public.example.com, bucket.internal:9000",
    "bucket.public.example.com, bucket.deep.internal",
    "gateway:9000, gateway:9000",
  })
  void thePublicNameIsAccepted(String signedHost, String wireHost) {
    assertVerified(verifyAt(signedHost, wireHost));
  }

  @ParameterizedTest
  @CsvSource({
    "public.example.com, bucket.internal",
    "public.example.com, bucket.internal.",
    "public.example.com, Bucket.INTERNAL:9000",
    "a.public.example.com, b.internal",
    "public.example.com, a.deep.internal",
    "a.deep.public.example.com, a.deep.internal",
    "other.example.com, 10.0.0.1",
  })
  void aSignatureForOneBucketIsNoneForAnother(String signedHost, String wireHost) {
    assertRefused(verifyAt(signedHost, wireHost), S3Error.SIGNATURE_DOES_NOT_MATCH, "");
  }
}
