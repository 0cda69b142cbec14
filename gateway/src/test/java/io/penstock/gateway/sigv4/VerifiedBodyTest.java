package io.penstock.gateway.sigv4;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which error a bad body ends in, and that its last byte stays here. */
class VerifiedBodyTest {
  private static final PayloadClaim UNSIGNED = new PayloadClaim.Unsigned();
  private static final PayloadClaim CHUNKS = new PayloadClaim.UnsignedChunks();
  private static final PayloadClaim.ChunkSigning SIGNING =
      new PayloadClaim.ChunkSigning(
          new SigningKey(new byte[] {7}), Instant.EPOCH, "19700101/r/s3/aws4_request", "seed");
  private static final String CRC32_OF_DIGITS = "y/Q5Jg==";
  private static final byte[] DIGITS = "123456789".getBytes(US_ASCII);

  private final List<ByteBuf> buffers = new ArrayList<>();

  private static PayloadExpectations expect(long length, ChecksumAlgorithm... trailers) {
    return new PayloadExpectations(length, 100, Optional.empty(), Map.of(), List.of(trailers));
  }

  private VerifiedBody body(PayloadClaim claim, PayloadExpectations expected, byte[]... parts) {
    buffers.clear();
    for (byte[] part : parts) {
      buffers.add(Unpooled.copiedBuffer(part));
    }
    return PayloadStreams.verified(new ScriptedBody(buffers), claim, expected);
  }

  private CollectingSink receive(
      PayloadClaim claim, PayloadExpectations expected, byte[]... parts) {
    CollectingSink sink = CollectingSink.drain(body(claim, expected, parts));
    assertThat(buffers).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    return sink;
  }

  private void assertFails(
      S3Error error, PayloadClaim claim, PayloadExpectations expected, String wire) {
    CollectingSink sink = receive(claim, expected, wire.getBytes(US_ASCII));
    assertThat(sink.failure)
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.error()).isEqualTo(error));
    assertThat(sink.bytes().length).isLessThan((int) Math.max(1, expected.length()));
  }

  @ParameterizedTest
  @CsvSource({
    "'9|123456789|', INCOMPLETE_BODY",
    "'9|123456789|0|', INCOMPLETE_BODY",
    "'8|12345678|0||', INCOMPLETE_BODY",
    "'9|1234', INCOMPLETE_BODY",
    "'a|1234567890|0||', INVALID_CHUNK_SIZE_ERROR",
    "'7fffffffffffffff|1', INVALID_CHUNK_SIZE_ERROR",
    "'ffffffffffffffff|1', INVALID_CHUNK_SIZE_ERROR",
    "'10000000000000009|1', INVALID_CHUNK_SIZE_ERROR",
    "'-9|123456789|0||', INVALID_CHUNK_SIZE_ERROR",
    "'x|', INVALID_CHUNK_SIZE_ERROR",
    "'|', INVALID_CHUNK_SIZE_ERROR",
    "'9|123456789x|0||', INVALID_REQUEST",
    "'9|123456789|0||x', INVALID_REQUEST",
    "'9|123456789|0||0||', INVALID_REQUEST",
    "'9|123456789|0|x-amz-checksum-crc32:y/Q5Jg==||', MALFORMED_TRAILER_ERROR",
    "'9|123456789|0|x-amz-trailer-signature:0||', MALFORMED_TRAILER_ERROR",
    "'9|123456789|0|nonsense||', MALFORMED_TRAILER_ERROR",
  })
  void framingThatIsWrong(String wire, S3Error error) {
    assertFails(error, CHUNKS, expect(9), wire.replace("|", "\r\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "'x-amz-checksum-crc32:AAAAAA==||', BAD_DIGEST",
    "'x-amz-checksum-crc32:y/Q5Jh==||', BAD_DIGEST",
    "'|', MALFORMED_TRAILER_ERROR",
    "'x-amz-checksum-crc32:y/Q5Jg==|x-amz-checksum-crc32:y/Q5Jg==||', MALFORMED_TRAILER_ERROR",
    "'x-amz-checksum-crc32:y/Q5Jg==|x-amz-meta-a:b||', MALFORMED_TRAILER_ERROR",
    "'x-amz-checksum-crc32:y/Q5Jg==|', INCOMPLETE_BODY",
    "'x-amz-checksum-crc32:y/Q5Jg==^|', INCOMPLETE_BODY",
    "'x-amz-checksum-crc32:y/Q5Jg==^^|', MALFORMED_TRAILER_ERROR",
    "'x-amz-checksum-crc32:y/Q5Jg==^x-amz-a:b||', MALFORMED_TRAILER_ERROR",
    "'x-amz-checksum-crc32:y/Q5Jg==^|||', INVALID_REQUEST",
  })
  void trailersThatAreWrong(String trailer, S3Error error) {
    assertFails(
        error,
        CHUNKS,
        expect(9, ChecksumAlgorithm.CRC32),
        ("9|123456789|0|" + trailer).replace("|", "\r\n").replace('^', '\n'));
  }

  @Test
  void aLongChunkHeaderAndALongTrailerAreGivenUp() {
    assertFails(S3Error.INVALID_REQUEST, CHUNKS, expect(9), "9;x=" + "y".repeat(2000) + "\r\n");
    assertFails(
        S3Error.MALFORMED_TRAILER_ERROR,
        CHUNKS,
        expect(0),
        "0\r\n" + "x-amz-a:b\r\n".repeat(1000) + "\r\n");
  }

  @Test
  void theDialectOfMinioIsUnderstood() {
    CollectingSink sink =
        receive(
            CHUNKS,
            expect(9, ChecksumAlgorithm.CRC32),
            new Wire()
                .text("9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:" + CRC32_OF_DIGITS)
                .text("\n\r\n\r\n")
                .toBytes());
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(DIGITS);
  }

  @Test
  void theSignedDialectOfMinioIsUnderstood() {
    String line = "x-amz-checksum-crc32:" + CRC32_OF_DIGITS;
    String wire = new String(Wire.signed(DIGITS, 9, SIGNING, line).toBytes(), US_ASCII);
    CollectingSink sink =
        receive(
            new PayloadClaim.SignedChunks(SIGNING, true),
            expect(9, ChecksumAlgorithm.CRC32),
            wire.replace(line + "\r\n", line + "\n\r\n").getBytes(US_ASCII));
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(DIGITS);
  }

  @Test
  void aSignedTrailerNeedsItsSignature() {
    PayloadClaim claim = new PayloadClaim.SignedChunks(SIGNING, true);
    String line = "x-amz-checksum-crc32:" + CRC32_OF_DIGITS;
    String wire = new String(Wire.signed(DIGITS, 9, SIGNING, line).toBytes(), US_ASCII);
    PayloadExpectations expected = expect(9, ChecksumAlgorithm.CRC32);
    assertFails(
        S3Error.MALFORMED_TRAILER_ERROR,
        claim,
        expected,
        wire.replaceAll("x-amz-trailer-signature:.*\r\n", ""));
    assertFails(
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        claim,
        expected,
        wire.replaceAll("(x-amz-trailer-signature:).*\r\n", "$1" + "0".repeat(64) + "\r\n"));
    // announced or not, a trailer cannot follow where the head says none does
    assertFails(
        S3Error.INVALID_REQUEST, new PayloadClaim.SignedChunks(SIGNING, false), expected, wire);
  }

  @Test
  void aSignedChunkNeedsItsSignature() {
    PayloadClaim claim = new PayloadClaim.SignedChunks(SIGNING, false);
    assertFails(S3Error.INVALID_REQUEST, claim, expect(9), "9\r\n123456789\r\n0\r\n\r\n");
    assertFails(
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        claim,
        expect(9),
        "9;chunk-signature=" + "0".repeat(64) + "\r\n123456789\r\n");
  }

  @Test
  void plainBodiesThatAreWrong() {
    PayloadExpectations md5 =
        new PayloadExpectations(
            9, 100, Optional.of("AAAAAAAAAAAAAAAAAAAAAA=="), Map.of(), List.of());
    assertFails(S3Error.BAD_DIGEST, UNSIGNED, md5, "123456789");
    PayloadExpectations crc =
        new PayloadExpectations(
            9, 100, Optional.empty(), Map.of(ChecksumAlgorithm.CRC32, "AAAAAA=="), List.of());
    assertFails(S3Error.BAD_DIGEST, UNSIGNED, crc, "123456789");
    assertFails(
        S3Error.X_AMZ_CONTENT_SHA256_MISMATCH,
        new PayloadClaim.Sha256("0".repeat(64)),
        expect(9),
        "123456789");
    assertFails(S3Error.INCOMPLETE_BODY, UNSIGNED, expect(9), "12345678");
    assertFails(S3Error.INCOMPLETE_BODY, UNSIGNED, expect(9), "1234567890");
    CollectingSink sink = receive(UNSIGNED, expect(-1), new byte[101]);
    assertThat(((S3Exception) sink.failure).error()).isEqualTo(S3Error.ENTITY_TOO_LARGE);
  }

  @Test
  void anEmptyBodyIsCheckedToo() {
    assertThat(receive(new PayloadClaim.Sha256(Sha256.EMPTY_HEX), expect(0)).ended).isTrue();
    assertThat(receive(new PayloadClaim.Sha256("0".repeat(64)), expect(0)).failure).isNotNull();
    assertThat(receive(CHUNKS, expect(0), "0\r\n\r\n".getBytes(US_ASCII)).ended).isTrue();
    assertThat(receive(CHUNKS, expect(0)).failure).isNotNull();
  }

  @Test
  void theLastBufferWaitsForTheEnd() {
    HeldSource source = new HeldSource();
    VerifiedBody body =
        PayloadStreams.verified(source, new PayloadClaim.Sha256("0".repeat(64)), expect(6));
    CollectingSink sink = new CollectingSink(body, null);
    body.start(sink);
    source.sink.data(Unpooled.copiedBuffer("123", US_ASCII));
    assertThat(sink.bytes()).hasSize(3);
    ByteBuf last = Unpooled.copiedBuffer("456", US_ASCII);
    source.sink.data(last);
    assertThat(sink.bytes()).hasSize(3);
    assertThat(last.refCnt()).isOne();
    source.sink.end();
    assertThat(sink.failure).isInstanceOf(S3Exception.class);
    assertThat(sink.bytes()).hasSize(3);
    assertThat(last.refCnt()).isZero();
    assertThat(source.cancelled).isFalse();
  }

  @Test
  void aFailureInTheMiddleStopsTheSourceAtOnceEvenWhilePaused() {
    HeldSource source = new HeldSource();
    VerifiedBody body = PayloadStreams.verified(source, CHUNKS, expect(9));
    CollectingSink sink = new CollectingSink(body, null);
    body.start(sink);
    body.pause();
    assertThat(source.paused).isTrue();
    ByteBuf buffer = Unpooled.copiedBuffer("3\r\n123\r\nzz\r\n", US_ASCII);
    source.sink.data(buffer);
    assertThat(sink.failure).isInstanceOf(S3Exception.class);
    assertThat(sink.bytes()).isEmpty();
    assertThat(source.cancelled).isTrue();
    assertThat(buffer.refCnt()).isZero();
    ByteBuf late = Unpooled.copiedBuffer("x", US_ASCII);
    source.sink.data(late);
    assertThat(late.refCnt()).isZero();
  }

  @Test
  void aFailureOfTheSourcePassesThrough() {
    HeldSource source = new HeldSource();
    VerifiedBody body = PayloadStreams.verified(source, UNSIGNED, expect(3));
    CollectingSink sink = new CollectingSink(body, null);
    body.start(sink);
    ByteBuf held = Unpooled.copiedBuffer("123", US_ASCII);
    source.sink.data(held);
    source.sink.failed(new IllegalStateException("gone"));
    assertThat(sink.failure).hasMessage("gone");
    assertThat(held.refCnt()).isZero();
  }

  @Test
  void theEndWaitsWhilePaused() {
    HeldSource source = new HeldSource();
    VerifiedBody body = PayloadStreams.verified(source, UNSIGNED, expect(3));
    CollectingSink sink = new CollectingSink(body, null);
    body.start(sink);
    body.pause();
    source.sink.data(Unpooled.copiedBuffer("123", US_ASCII));
    source.sink.end();
    assertThat(sink.ended).isFalse();
    body.resume();
    assertThat(sink.ended).isTrue();
    assertThat(sink.bytes()).hasSize(3);
  }

  /** A source driven by hand. */
  private static final class HeldSource implements BodyStream {
    private Sink sink;
    private boolean paused;
    private boolean cancelled;

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void start(Sink target) {
      sink = target;
    }

    @Override
    public void pause() {
      paused = true;
    }

    @Override
    public void resume() {
      paused = false;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
