package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two uploads of 66,560 bytes that AWS publishes with every signature: S3 API reference,
 * "Transferring payload in multiple chunks" and "Including trailing headers".
 */
class AwsChunkedExamplesTest {
  private static final byte[] BODY = new byte[66_560];

  static {
    Arrays.fill(BODY, (byte) 'a');
  }

  private static byte[] framed(String first, String second, String last, String trailer) {
    return new Wire()
        .text("10000;chunk-signature=" + first + "\r\n")
        .bytes(Arrays.copyOf(BODY, 65_536))
        .text("\r\n400;chunk-signature=" + second + "\r\n")
        .bytes(Arrays.copyOf(BODY, 1024))
        .text("\r\n0;chunk-signature=" + last + "\r\n" + trailer + "\r\n")
        .toBytes();
  }

  private static RequestHead head(
      String form, String signedHeaders, String signature, String... more) {
    return new RequestHead(
        "PUT",
        "/examplebucket/chunkObject.txt",
        HttpFields.builder()
            .addAll(
                HttpFields.of(
                    "Host", "s3.amazonaws.com",
                    "x-amz-date", "20130524T000000Z",
                    "x-amz-storage-class", "REDUCED_REDUNDANCY",
                    "Authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                            + "aws4_request,SignedHeaders="
                            + signedHeaders
                            + ",Signature="
                            + signature,
                    "x-amz-content-sha256", form,
                    "Content-Encoding", "aws-chunked",
                    "x-amz-decoded-content-length", "66560",
                    "Content-Length", "66824"))
            .addAll(HttpFields.of(more))
            .build());
  }

  private static CollectingSink receive(RequestHead head, List<ByteBuf> wire) {
    Authentication who = AwsExamplesTest.VERIFIER.verify(head);
    assertThat(who).isInstanceOf(Authentication.Verified.class);
    PayloadClaim claim = ((Authentication.Verified) who).payload();
    VerifiedBody body =
        new VerifiedBody(
            new ScriptedBody(wire), claim, PayloadExpectations.from(head, claim, 100_000));
    CollectingSink sink = CollectingSink.drain(body);
    wire.forEach(buffer -> assertThat(buffer.refCnt()).isZero());
    return sink;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 89, 8192, 65_540, 100_000})
  void signedChunks(int cut) {
    byte[] wire =
        framed(
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
            "");
    assertThat(wire).hasSize(66_824);
    RequestHead head =
        head(
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
                + "x-amz-decoded-content-length;x-amz-storage-class",
            "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    CollectingSink sink = receive(head, Wire.cut(wire, cut, new Random(cut)));
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(BODY);
  }

  @Test
  void signedChunksWithSignedTrailer() {
    byte[] wire =
        framed(
            "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
            "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
            "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
            "x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:"
                + "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n");
    RequestHead head =
        head(
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            "content-encoding;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;"
                + "x-amz-storage-class;x-amz-trailer",
            "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
            "x-amz-trailer",
            "x-amz-checksum-crc32c");
    CollectingSink sink = receive(head, Wire.cut(wire, 10_000, new Random(1)));
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(BODY);
  }
}
