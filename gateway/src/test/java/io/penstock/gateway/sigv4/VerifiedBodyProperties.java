package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.checksum.Checksum;
import io.penstock.gateway.checksum.ChecksumAlgorithm;
import io.penstock.gateway.s3.S3Exception;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Whatever the chunks, however the wire is cut, whenever the reader pauses: the right body comes
 * out whole, and a wrong one never does.
 */
class VerifiedBodyProperties {
  private static final long LIMIT = 1 << 20;
  private static final PayloadClaim.ChunkSigning SIGNING =
      new PayloadClaim.ChunkSigning(
          new SigningKey(new byte[] {1, 2, 3}),
          Instant.parse("2026-01-02T03:04:05Z"),
          "20260102/eu-west-1/s3/aws4_request",
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");

  /** One way of sending a body. */
  enum Form {
    SIGNED,
    SIGNED_TRAILER,
    UNSIGNED_TRAILER;

    PayloadClaim claim() {
      return switch (this) {
        case SIGNED -> new PayloadClaim.SignedChunks(SIGNING, false);
        case SIGNED_TRAILER -> new PayloadClaim.SignedChunks(SIGNING, true);
        case UNSIGNED_TRAILER -> new PayloadClaim.UnsignedChunks();
      };
    }

    PayloadExpectations expectations(byte[] body, ChecksumAlgorithm algorithm) {
      return new PayloadExpectations(
          body.length,
          LIMIT,
          Optional.empty(),
          Map.of(),
          this == SIGNED ? List.of() : List.of(algorithm));
    }

    byte[] frame(byte[] body, int chunk, ChecksumAlgorithm algorithm) {
      String trailer = algorithm.field() + ":" + base64(body, algorithm);
      return switch (this) {
        case SIGNED -> Wire.signed(body, chunk, SIGNING).toBytes();
        case SIGNED_TRAILER -> Wire.signed(body, chunk, SIGNING, trailer).toBytes();
        case UNSIGNED_TRAILER -> Wire.unsigned(body, chunk, trailer).toBytes();
      };
    }
  }

  static String base64(byte[] body, ChecksumAlgorithm algorithm) {
    Checksum checksum = algorithm.start();
    checksum.update(ByteBuffer.wrap(body));
    return Base64.getEncoder().encodeToString(checksum.value());
  }

  private static CollectingSink receive(
      byte[] wire, PayloadClaim claim, PayloadExpectations expected, int cut, Random random) {
    List<ByteBuf> buffers = Wire.cut(wire, cut, random);
    ScriptedBody source = new ScriptedBody(buffers);
    VerifiedBody body = new VerifiedBody(source, claim, expected);
    CollectingSink sink = CollectingSink.drain(body, random);
    assertThat(buffers).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    return sink;
  }

  private static void assertRefused(CollectingSink sink, byte[] body) {
    assertThat(sink.failure).isInstanceOf(S3Exception.class);
    assertThat(sink.bytes().length).isLessThanOrEqualTo(Math.max(0, body.length - 1));
  }

  @Property(tries = 500)
  void theBodyComesOutWhole(
      @ForAll Form form,
      @ForAll ChecksumAlgorithm algorithm,
      @ForAll @Size(max = 2000) byte[] body,
      @ForAll @IntRange(min = 1, max = 700) int chunk,
      @ForAll @IntRange(min = 1, max = 500) int cut,
      @ForAll Random random) {
    byte[] wire = form.frame(body, chunk, algorithm);
    CollectingSink sink =
        receive(wire, form.claim(), form.expectations(body, algorithm), cut, random);
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(body);
  }

  @Property(tries = 300)
  void theBodyComesOutWholeWithoutFraming(
      @ForAll @Size(max = 2000) byte[] body,
      @ForAll boolean lengthTold,
      @ForAll @IntRange(min = 1, max = 500) int cut,
      @ForAll Random random) {
    PayloadClaim claim = new PayloadClaim.Sha256(Sha256.hex(Sha256.of(body)));
    PayloadExpectations expected =
        new PayloadExpectations(
            lengthTold ? body.length : -1,
            LIMIT,
            Optional.of(base64(body, ChecksumAlgorithm.MD5)),
            Map.of(ChecksumAlgorithm.CRC64NVME, base64(body, ChecksumAlgorithm.CRC64NVME)),
            List.of());
    CollectingSink sink = receive(body, claim, expected, cut, random);
    assertThat(sink.failure).isNull();
    assertThat(sink.bytes()).isEqualTo(body);
    if (body.length > 0) {
      byte[] changed = body.clone();
      changed[random.nextInt(body.length)] ^= (byte) (1 + random.nextInt(255));
      assertRefused(receive(changed, claim, expected, cut, random), body);
    }
  }

  @Property(tries = 1500)
  void aChangedByteIsRefused(
      @ForAll Form form,
      @ForAll @Size(max = 300) byte[] body,
      @ForAll @IntRange(min = 1, max = 200) int chunk,
      @ForAll @IntRange(min = 1, max = 300) int cut,
      @ForAll Random random) {
    byte[] wire = form.frame(body, chunk, ChecksumAlgorithm.CRC32);
    int at = random.nextInt(wire.length);
    byte before = wire[at];
    wire[at] ^= (byte) (1 + random.nextInt(255));
    CollectingSink sink =
        receive(wire, form.claim(), form.expectations(body, ChecksumAlgorithm.CRC32), cut, random);
    // the case of a size's digits and of a trailer's name has no meaning
    if (sink.ended && Character.toLowerCase(before) == Character.toLowerCase(wire[at])) {
      assertThat(sink.bytes()).isEqualTo(body);
    } else {
      assertRefused(sink, body);
    }
  }

  @Property(tries = 2000)
  void aMissingByteIsRefused(
      @ForAll Form form,
      @ForAll @Size(max = 300) byte[] body,
      @ForAll @IntRange(min = 1, max = 200) int chunk,
      @ForAll @IntRange(min = 1, max = 300) int cut,
      @ForAll boolean atTheEnd,
      @ForAll Random random) {
    byte[] wire = form.frame(body, chunk, ChecksumAlgorithm.CRC32);
    int at = random.nextInt(wire.length);
    byte[] shorter = Arrays.copyOf(wire, atTheEnd ? at : wire.length - 1);
    if (!atTheEnd) {
      System.arraycopy(wire, at + 1, shorter, at, wire.length - at - 1);
    }
    CollectingSink sink =
        receive(
            shorter, form.claim(), form.expectations(body, ChecksumAlgorithm.CRC32), cut, random);
    assertRefused(sink, body);
  }

  @Property(tries = 300)
  void cancelLeavesNothingBehind(
      @ForAll Form form,
      @ForAll @Size(min = 1, max = 500) byte[] body,
      @ForAll @IntRange(min = 1, max = 100) int chunk,
      @ForAll @IntRange(min = 1, max = 100) int cut,
      @ForAll Random random) {
    List<ByteBuf> buffers = Wire.cut(form.frame(body, chunk, ChecksumAlgorithm.CRC32), cut, random);
    ScriptedBody source = new ScriptedBody(buffers);
    VerifiedBody stream =
        new VerifiedBody(source, form.claim(), form.expectations(body, ChecksumAlgorithm.CRC32));
    CollectingSink sink = new CollectingSink(stream, random);
    if (random.nextBoolean()) {
      stream.start(sink);
    }
    stream.cancel();
    stream.cancel();
    stream.resume();
    assertThat(source.isCancelled()).isEqualTo(!sink.isOver());
    assertThat(buffers).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
  }

  @Property(tries = 500)
  void garbageIsRefusedWithoutALeak(
      @ForAll Form form,
      @ForAll @Size(min = 1, max = 300) byte[] garbage,
      @ForAll boolean printable,
      @ForAll Random random) {
    String alphabet = "0123456789abcdefF;:=\r\n\r\nchunk-signature=";
    byte[] wire = garbage.clone();
    for (int i = 0; printable && i < wire.length; i++) {
      wire[i] = (byte) alphabet.charAt((wire[i] & 0xFF) % alphabet.length());
    }
    CollectingSink sink =
        receive(
            wire,
            form.claim(),
            form.expectations(new byte[1000], ChecksumAlgorithm.CRC32),
            20,
            random);
    assertRefused(sink, new byte[1000]);
  }

  @Property(tries = 20)
  void partsOfACompositeAreRead(@ForAll @Size(max = 100) byte[] body) {
    byte[] wire = Form.SIGNED.frame(body, 30, ChecksumAlgorithm.CRC32);
    int half = wire.length / 2;
    ByteBuf composite =
        Unpooled.wrappedBuffer(
            Unpooled.copiedBuffer(wire, 0, half),
            Unpooled.copiedBuffer(wire, half, wire.length - half));
    VerifiedBody stream =
        new VerifiedBody(
            new ScriptedBody(List.of(composite)),
            Form.SIGNED.claim(),
            Form.SIGNED.expectations(body, ChecksumAlgorithm.CRC32));
    assertThat(CollectingSink.drain(stream).bytes()).isEqualTo(body);
    assertThat(composite.refCnt()).isZero();
  }
}
