package io.penstock.gateway.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the published check values of {@code 123456789}, whatever the kind of buffer. */
class ChecksumTest {
  private static final byte[] DIGITS = "123456789".getBytes(US_ASCII);

  @ParameterizedTest
  @CsvSource({
    "CRC32, cbf43926",
    "CRC32C, e3069283",
    "CRC64NVME, ae8b14860a799888",
    "MD5, 25f9e794323b453885f5181f1b624d0b",
    "SHA1, f7c3bc1d808e04732adf679965ccc34ca7ae3441",
    "SHA256, 15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
    "SHA512, d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a"
        + "d27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85",
    "XXHASH64, 8cb841db40e6ae83"
  })
  void checkValue(ChecksumAlgorithm algorithm, String hex) {
    ByteBuf heap = Unpooled.wrappedBuffer(DIGITS);
    ByteBuf direct = Unpooled.directBuffer().writeBytes(DIGITS);
    ByteBuf parts =
        Unpooled.wrappedBuffer(Unpooled.copiedBuffer(DIGITS, 0, 4), direct.retainedSlice(4, 5));
    for (ByteBuf buffer : new ByteBuf[] {heap, direct, parts}) {
      Checksum checksum = algorithm.start();
      checksum.update(buffer);
      assertThat(HexFormat.of().formatHex(checksum.value())).isEqualTo(hex);
      assertThat(buffer.readableBytes()).isEqualTo(9);
      assertThat(hex).hasSize(2 * algorithm.length());
    }
    parts.release();
    direct.release();
  }

  @Test
  void fieldsAreFoundWithoutCase() {
    assertThat(ChecksumAlgorithm.ofField("X-Amz-Checksum-Crc64NVMe"))
        .contains(ChecksumAlgorithm.CRC64NVME);
    assertThat(ChecksumAlgorithm.ofField("x-amz-checksum-algorithm")).isEmpty();
  }
}
