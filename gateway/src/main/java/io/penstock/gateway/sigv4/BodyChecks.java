package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.checksum.Checksum;
import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every checksum promised for one body, computed while it passes and compared at its end.
 *
 * <p>Threading: not thread safe.
 *
 * <p>Ownership: buffers are only read.
 */
final class BodyChecks {
  private final PayloadExpectations expected;
  private final Optional<String> sha256Hex;
  private final Map<ChecksumAlgorithm, Checksum> running = new EnumMap<>(ChecksumAlgorithm.class);
  private final Map<ChecksumAlgorithm, byte[]> computed = new EnumMap<>(ChecksumAlgorithm.class);

  BodyChecks(PayloadClaim claim, PayloadExpectations expected) {
    this.expected = expected;
    this.sha256Hex =
        claim instanceof PayloadClaim.Sha256(var hex) ? Optional.of(hex) : Optional.empty();
    expected.checksums().keySet().forEach(this::run);
    expected.trailers().forEach(this::run);
    if (expected.contentMd5().isPresent()) {
      run(ChecksumAlgorithm.MD5);
    }
    if (sha256Hex.isPresent()) {
      run(ChecksumAlgorithm.SHA256);
    }
  }

  private void run(ChecksumAlgorithm algorithm) {
    running.computeIfAbsent(algorithm, ChecksumAlgorithm::start);
  }

  void update(ByteBuf bytes) {
    for (Checksum checksum : running.values()) {
      checksum.update(bytes);
    }
  }

  /**
   * Compares everything.
   *
   * @throws S3Exception for the first thing that does not fit
   */
  void finish(HttpFields trailers) {
    running.forEach((algorithm, checksum) -> computed.put(algorithm, checksum.value()));
    sha256Hex.ifPresent(this::checkSha256);
    expected.contentMd5().ifPresent(this::checkMd5);
    expected.checksums().forEach(this::checkChecksum);
    checkTrailers(trailers);
  }

  /** What was computed, in base64; empty before {@link #finish}. */
  Map<ChecksumAlgorithm, String> values() {
    Map<ChecksumAlgorithm, String> values = new EnumMap<>(ChecksumAlgorithm.class);
    computed.keySet().forEach(algorithm -> values.put(algorithm, base64(algorithm)));
    return values;
  }

  private void checkSha256(String hex) {
    if (!HexFormat.of().formatHex(computed.get(ChecksumAlgorithm.SHA256)).equals(hex)) {
      throw new S3Exception(
          S3Error.X_AMZ_CONTENT_SHA256_MISMATCH,
          "The provided 'x-amz-content-sha256' header does not match what was computed: the body was"
              + " changed on its way.");
    }
  }

  private void checkMd5(String value) {
    if (!base64(ChecksumAlgorithm.MD5).equals(value)) {
      throw new S3Exception(
          S3Error.BAD_DIGEST, "The Content-MD5 you specified did not match what we received.");
    }
  }

  private void checkChecksum(ChecksumAlgorithm algorithm, String value) {
    if (!base64(algorithm).equals(value)) {
      throw new S3Exception(
          S3Error.BAD_DIGEST,
          "The " + algorithm + " you specified did not match the calculated checksum.");
    }
  }

  private void checkTrailers(HttpFields trailers) {
    List<ChecksumAlgorithm> announced = expected.trailers();
    for (int i = 0; i < trailers.size(); i++) {
      String name = trailers.name(i);
      if (announced.stream().noneMatch(algorithm -> algorithm.field().equals(name))) {
        throw malformed("'" + name + "' was not announced in x-amz-trailer");
      }
    }
    for (ChecksumAlgorithm algorithm : announced) {
      List<String> values = trailers.all(algorithm.field());
      if (values.size() != 1) {
        throw malformed("'" + algorithm.field() + "' must be there once");
      }
      checkChecksum(algorithm, values.get(0));
    }
  }

  private static S3Exception malformed(String what) {
    return new S3Exception(
        S3Error.MALFORMED_TRAILER_ERROR, "The trailer of the body is malformed: " + what + ".");
  }

  private String base64(ChecksumAlgorithm algorithm) {
    return Base64.getEncoder().encodeToString(computed.get(algorithm));
  }
}
