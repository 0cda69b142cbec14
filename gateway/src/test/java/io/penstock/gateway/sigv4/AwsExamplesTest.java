package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The examples that AWS publishes with every intermediate value: S3 API reference, "Signature
 * calculations for the Authorization header" (single chunk), "Using query parameters".
 */
class AwsExamplesTest {
  static final Instant TIME = Instant.parse("2013-05-24T00:00:00Z");
  static final Credential CREDENTIAL =
      new Credential(
          "AKIAIOSFODNN7EXAMPLE",
          new Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
          Optional.empty());
  static final SigV4Verifier VERIFIER =
      new SigV4Verifier(
          key -> Optional.of(CREDENTIAL).filter(c -> c.accessKey().equals(key)),
          InstantSource.fixed(TIME),
          Optional.of("us-east-1"),
          SignedHosts.WIRE);
  private static final String HOST = "examplebucket.s3.amazonaws.com";

  private static String authorization(String signedHeaders, String signature) {
    return "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders="
        + signedHeaders
        + ",Signature="
        + signature;
  }

  private static RequestHead bare(String target, String signedHeaders, String signature) {
    return new RequestHead(
        "GET",
        target,
        HttpFields.of(
            "Host",
            HOST,
            "Authorization",
            authorization(signedHeaders, signature),
            "x-amz-content-sha256",
            Sha256.EMPTY_HEX,
            "x-amz-date",
            "20130524T000000Z"));
  }

  private static void assertVerified(RequestHead head) {
    assertThat(VERIFIER.verify(head))
        .isEqualTo(
            new Authentication.Verified(
                "AKIAIOSFODNN7EXAMPLE", new PayloadClaim.Sha256(Sha256.EMPTY_HEX)));
  }

  @Test
  void getObjectWithRange() {
    RequestHead head =
        new RequestHead(
            "GET",
            "/test.txt",
            HttpFields.of(
                "Host",
                HOST,
                "Authorization",
                authorization(
                    "host;range;x-amz-content-sha256;x-amz-date",
                    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
                "Range",
                "bytes=0-9",
                "x-amz-content-sha256",
                Sha256.EMPTY_HEX,
                "x-amz-date",
                "20130524T000000Z"));
    assertVerified(head);
    CanonicalRequest request =
        new CanonicalRequest(
            "GET",
            "/test.txt",
            CanonicalQuery.of(""),
            head.fields(),
            List.of("host", "range", "x-amz-content-sha256", "x-amz-date"),
            Sha256.EMPTY_HEX);
    ByteArray text = new ByteArray(16);
    request.writeTo(text, CanonicalRequest.Form.WIRE);
    assertThat(text)
        .hasToString(
            "GET\n/test.txt\n\nhost:examplebucket.s3.amazonaws.com\nrange:bytes=0-9\n"
                + "x-amz-content-sha256:"
                + Sha256.EMPTY_HEX
                + "\nx-amz-date:20130524T000000Z\n\nhost;range;x-amz-content-sha256;x-amz-date\n"
                + Sha256.EMPTY_HEX);
    assertThat(SignatureCalculator.hashOf(request))
        .isEqualTo("7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972");
  }

  @Test
  void putObject() {
    String hash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
    assertThat(
            VERIFIER.verify(
                new RequestHead(
                    "PUT",
                    "/test%24file.text",
                    HttpFields.of(
                        "Host",
                        HOST,
                        "Date",
                        "Fri, 24 May 2013 00:00:00 GMT",
                        "Authorization",
                        authorization(
                            "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
                        "x-amz-date",
                        "20130524T000000Z",
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY",
                        "x-amz-content-sha256",
                        hash))))
        .isEqualTo(
            new Authentication.Verified("AKIAIOSFODNN7EXAMPLE", new PayloadClaim.Sha256(hash)));
  }

  @Test
  void getBucketLifecycle() {
    assertVerified(
        bare(
            "/?lifecycle",
            "host;x-amz-content-sha256;x-amz-date",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
  }

  @Test
  void listObjects() {
    assertVerified(
        bare(
            "/?max-keys=2&prefix=J",
            "host;x-amz-content-sha256;x-amz-date",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
  }

  @Test
  void presignedUrl() {
    String target =
        "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524"
            + "%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400"
            + "&X-Amz-SignedHeaders=host&X-Amz-Signature="
            + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
    assertThat(VERIFIER.verify(new RequestHead("GET", target, HttpFields.of("host", HOST))))
        .isEqualTo(
            new Authentication.Verified("AKIAIOSFODNN7EXAMPLE", new PayloadClaim.Unsigned()));
    SigV4Signer signer = new SigV4Signer(() -> CREDENTIAL, "us-east-1", InstantSource.fixed(TIME));
    assertThat("/test.txt?" + signer.presign("GET", HOST, "/test.txt", "", Duration.ofDays(1)))
        .isEqualTo(target);
  }

  @Test
  void signerMakesTheSameSignature() {
    SigV4Signer signer = new SigV4Signer(() -> CREDENTIAL, "us-east-1", InstantSource.fixed(TIME));
    HttpFields fields =
        signer.sign("GET", HOST, "/", "prefix=J&max-keys=2", HttpFields.EMPTY, Sha256.EMPTY_HEX);
    assertThat(fields)
        .isEqualTo(
            HttpFields.of(
                "host",
                HOST,
                "x-amz-date",
                "20130524T000000Z",
                "x-amz-content-sha256",
                Sha256.EMPTY_HEX,
                "authorization",
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                    + "aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date,"
                    + " Signature="
                    + "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
  }
}
