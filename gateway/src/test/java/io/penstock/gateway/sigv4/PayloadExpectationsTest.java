package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a head says its body will be, and heads that contradict themselves. */
class PayloadExpectationsTest {
  private static final long LIMIT = 1000;
  private static final PayloadClaim PLAIN = new PayloadClaim.Unsigned();
  private static final PayloadClaim FRAMED = new PayloadClaim.UnsignedChunks();

  private static PayloadExpectations read(PayloadClaim claim, String... fields) {
    return PayloadExpectations.from(
        new RequestHead("PUT", "/b/k", HttpFields.of(fields)), claim, LIMIT);
  }

  private static void assertRefused(S3Error error, PayloadClaim claim, String... fields) {
    assertThatThrownBy(() -> read(claim, fields))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void lengths() {
    assertThat(read(PLAIN, "Content-Length", "12").length()).isEqualTo(12);
    assertThat(read(PLAIN).length()).isEqualTo(-1);
    assertThat(read(PLAIN, "Transfer-Encoding", "chunked").length()).isEqualTo(-1);
    assertThat(read(FRAMED, "Content-Length", "99", "x-amz-decoded-content-length", "12").length())
        .isEqualTo(12);
  }

  @Test
  void aFramedBodyNeedsItsDecodedLength() {
    assertRefused(S3Error.MISSING_CONTENT_LENGTH, FRAMED, "Content-Length", "99");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "+1", "x", "", "1.5", "99999999999999999999"})
  void lengthsThatAreNone(String length) {
    assertRefused(S3Error.INVALID_ARGUMENT, FRAMED, "x-amz-decoded-content-length", length);
    assertRefused(S3Error.INVALID_ARGUMENT, PLAIN, "content-length", length);
  }

  @Test
  void aLengthOverTheLimit() {
    assertRefused(S3Error.ENTITY_TOO_LARGE, PLAIN, "content-length", "1001");
    assertRefused(
        S3Error.ENTITY_TOO_LARGE, FRAMED, "x-amz-decoded-content-length", "5000000000000");
  }

  @Test
  void framingWithoutAFormIsNotStored() {
    assertRefused(
        S3Error.INVALID_REQUEST,
        PLAIN,
        "content-encoding",
        "aws-chunked",
        "x-amz-decoded-content-length",
        "3",
        "content-length",
        "99");
  }

  @Test
  void aMalformedContentMd5() {
    assertThat(read(PLAIN, "content-md5", "XUFAKrxLKna5cZ2REBfFkg==").contentMd5())
        .contains("XUFAKrxLKna5cZ2REBfFkg==");
    for (String value : List.of("", "abc", "XUFAKrxLKna5cZ2REBfFkg", "AAAA")) {
      assertRefused(S3Error.INVALID_DIGEST, PLAIN, "content-md5", value);
    }
    assertRefused(
        S3Error.INVALID_DIGEST,
        PLAIN,
        "content-md5",
        "XUFAKrxLKna5cZ2REBfFkg==",
        "Content-MD5",
        "XUFAKrxLKna5cZ2REBfFkg==");
  }

  @Test
  void checksumFields() {
    assertThat(
            read(
                    PLAIN,
                    "X-Amz-Checksum-CRC32",
                    "AAAAAA==",
                    "x-amz-checksum-algorithm",
                    "CRC32",
                    "x-amz-checksum-somethingnew",
                    "whatever")
                .checksums())
        .isEqualTo(Map.of(ChecksumAlgorithm.CRC32, "AAAAAA=="));
    assertRefused(S3Error.INVALID_REQUEST, PLAIN, "x-amz-checksum-crc32", "AAAA");
    assertRefused(S3Error.INVALID_REQUEST, PLAIN, "x-amz-checksum-crc32", "AAAAAB==-2");
    assertRefused(
        S3Error.INVALID_REQUEST,
        PLAIN,
        "x-amz-checksum-crc32",
        "AAAAAA==",
        "x-amz-checksum-crc32c",
        "AAAAAA==");
  }

  @Test
  void theChecksumOfAnUploadToBeCompletedIsNotThatOfTheList() {
    RequestHead head =
        new RequestHead(
            "POST", "/b/k?uploadId=7", HttpFields.of("x-amz-checksum-crc32", "AAAAAA==-3"));
    assertThat(PayloadExpectations.from(head, PLAIN, LIMIT).checksums()).isEmpty();
  }

  @Test
  void trailers() {
    assertThat(
            read(
                    FRAMED,
                    "x-amz-decoded-content-length",
                    "3",
                    "x-amz-trailer",
                    "X-Amz-Checksum-SHA256, x-amz-checksum-crc64nvme")
                .trailers())
        .containsExactly(ChecksumAlgorithm.SHA256, ChecksumAlgorithm.CRC64NVME);
    assertRefused(
        S3Error.INVALID_REQUEST,
        FRAMED,
        "x-amz-decoded-content-length",
        "3",
        "x-amz-trailer",
        "x-amz-checksum-somethingnew");
    assertRefused(S3Error.INVALID_REQUEST, PLAIN, "x-amz-trailer", "x-amz-checksum-crc32");
  }
}
