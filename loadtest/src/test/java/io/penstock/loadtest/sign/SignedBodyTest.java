package io.penstock.loadtest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.plan.Scenario.Payload;
import io.penstock.loadtest.sign.RequestSigner.Keys;
import io.penstock.loadtest.sign.RequestSigner.Unsigned;
import io.penstock.loadtest.sign.SignedBody.Body;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignedBodyTest {
  private static final RequestSigner SIGNER = new RequestSigner(new Keys("k", "s", "r"));

  private static byte[] framed(Payload payload, long size) {
    var body = new SignedBody(payload, size, 5);
    var unsigned = new Unsigned("PUT", "/b/k", "", Map.of("host", "h"), body.payloadHash());
    Body whole = body.framed(SIGNER.sign(unsigned, Instant.EPOCH).chunks());
    ByteBuf all = Unpooled.buffer();
    whole.parts().forEach(part -> all.writeBytes(part.duplicate()));
    assertThat(all.readableBytes()).isEqualTo((int) whole.length());
    return ByteBufUtil.getBytes(all);
  }

  private static byte[] content(long size) {
    ByteBuf all = Unpooled.buffer();
    Content.slices(5, 0, size).forEach(all::writeBytes);
    return ByteBufUtil.getBytes(all);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "131072", "1100000"})
  void unchunkedBodiesAreTheContent(long size) {
    assertThat(framed(Payload.UNSIGNED, size)).isEqualTo(content(size));
    assertThat(framed(Payload.SIGNED, size)).isEqualTo(content(size));
  }

  @ParameterizedTest
  @CsvSource({
    "CHUNKS_SIGNED, 0, 1",
    "CHUNKS_SIGNED, 131072, 2",
    "CHUNKS_SIGNED, 1100000, 10",
    "CHUNKS_TRAILER, 1100000, 10",
    "UNSIGNED_TRAILER, 1100000, 10"
  })
  void chunksFrameTheContentAndEndWithAnEmptyOne(Payload payload, long size, int chunks) {
    byte[] framed = framed(payload, size);
    var data = Unpooled.buffer();
    int at = 0;
    int count = 0;
    int length;
    do {
      String line = line(framed, at);
      at += line.length() + 2;
      length = Integer.parseInt(line.replaceAll(";.*", ""), 16);
      assertThat(line.contains(";chunk-signature=")).isEqualTo(payload != Payload.UNSIGNED_TRAILER);
      data.writeBytes(framed, at, length);
      at += length > 0 ? length + 2 : 0;
      count++;
    } while (length > 0);
    assertThat(count).isEqualTo(chunks);
    assertThat(ByteBufUtil.getBytes(data)).isEqualTo(content(size));
    String rest = new String(framed, at, framed.length - at, StandardCharsets.US_ASCII);
    switch (payload) {
      case CHUNKS_SIGNED -> assertThat(rest).isEqualTo("\r\n");
      case CHUNKS_TRAILER ->
          assertThat(rest)
              .matches("x-amz-checksum-crc32:.{8}\r\nx-amz-trailer-signature:[0-9a-f]{64}\r\n\r\n");
      default -> assertThat(rest).matches("x-amz-checksum-crc32:.{8}\r\n\r\n");
    }
  }

  private static String line(byte[] bytes, int from) {
    int end = from;
    while (bytes[end] != '\r') {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.US_ASCII);
  }
}
