package io.penstock.loadtest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.sign.RequestSigner.Keys;
import io.penstock.loadtest.sign.RequestSigner.Unsigned;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The worked examples of the Amazon S3 API Reference. */
class RequestSignerTest {
  private static final Instant DAY = Instant.parse("2013-05-24T00:00:00Z");
  private static final Keys KEYS =
      new Keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1");
  private static final String HOST = "examplebucket.s3.amazonaws.com";

  private final RequestSigner signer = new RequestSigner(KEYS);

  @Test
  void getObjectWithARange() {
    var request =
        new Unsigned(
            "GET",
            "/test.txt",
            "",
            Map.of("host", HOST, "range", "bytes=0-9"),
            RequestSigner.EMPTY_PAYLOAD);
    assertThat(signer.sign(request, DAY).headers().get("authorization"))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  void listObjects() {
    var request =
        new Unsigned(
            "GET", "/", "max-keys=2&prefix=J", Map.of("host", HOST), RequestSigner.EMPTY_PAYLOAD);
    assertThat(signer.sign(request, DAY).headers().get("authorization"))
        .endsWith("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  @Test
  void uploadInSignedChunks() {
    var request =
        new Unsigned(
            "PUT",
            "/examplebucket/chunkObject.txt",
            "",
            Map.of(
                "host", "s3.amazonaws.com",
                "content-encoding", "aws-chunked",
                "content-length", "66824",
                "x-amz-decoded-content-length", "66560",
                "x-amz-storage-class", "REDUCED_REDUNDANCY"),
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
    RequestSigner.Signed signed = signer.sign(request, DAY);
    assertThat(signed.headers().get("authorization"))
        .endsWith("4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    assertThat(signed.chunks().next(hashOfAs(65536)))
        .isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
    assertThat(signed.chunks().next(hashOfAs(1024)))
        .isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
    assertThat(signed.chunks().next(RequestSigner.EMPTY_PAYLOAD))
        .isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  }

  private static String hashOfAs(int length) {
    return Digests.hex(
        Digests.sha256().digest("a".repeat(length).getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void keysDoNotPrintTheirSecret() {
    assertThat(KEYS.toString()).doesNotContain("wJalr").contains("***");
  }
}
