package io.penstock.gateway.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import software.amazon.awssdk.crt.checksums.XXHash;

/** Any cut of any bytes gives the same value, and CRC64 agrees with a bit-by-bit model. */
class ChecksumProperties {

  @Property(tries = 300)
  void cutsDoNotMatter(
      @ForAll ChecksumAlgorithm algorithm,
      @ForAll @Size(max = 200) byte[] bytes,
      @ForAll @IntRange(max = 200) int cut,
      @ForAll boolean direct) {
    Checksum whole = algorithm.start();
    whole.update(ByteBuffer.wrap(bytes));
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.wrap(bytes);
    if (direct) {
      buffer.put(bytes).flip();
    }
    int at = Math.min(cut, bytes.length);
    Checksum pieces = algorithm.start();
    pieces.update(buffer.slice(0, at));
    pieces.update(buffer.slice(at, bytes.length - at));
    assertThat(pieces.value()).isEqualTo(whole.value());
  }

  @Property(tries = 300)
  void crc64IsThePolynomialRemainder(@ForAll @Size(max = 100) byte[] bytes) {
    long crc = -1;
    for (byte b : bytes) {
      for (int bit = 0; bit < 8; bit++) {
        long in = (crc ^ (b >>> bit)) & 1;
        crc = crc >>> 1 ^ (in == 0 ? 0 : Long.reverse(0xAD93D23594C93659L));
      }
    }
    Checksum checksum = ChecksumAlgorithm.CRC64NVME.start();
    checksum.update(ByteBuffer.wrap(bytes));
    assertThat(ByteBuffer.wrap(checksum.value()).getLong()).isEqualTo(~crc);
  }

  @Property(tries = 300)
  void theCommonRuntimeOfAwsAgrees(@ForAll @Size(max = 3000) byte[] bytes) {
    assertThat(value(ChecksumAlgorithm.XXHASH64, bytes)).isEqualTo(XXHash.computeXXHash64(bytes));
    assertThat(value(ChecksumAlgorithm.XXHASH3, bytes)).isEqualTo(XXHash.computeXXHash3_64(bytes));
    assertThat(value(ChecksumAlgorithm.XXHASH128, bytes))
        .isEqualTo(XXHash.computeXXHash3_128(bytes));
  }

  private static byte[] value(ChecksumAlgorithm algorithm, byte[] bytes) {
    Checksum checksum = algorithm.start();
    checksum.update(ByteBuffer.wrap(bytes));
    return checksum.value();
  }
}
