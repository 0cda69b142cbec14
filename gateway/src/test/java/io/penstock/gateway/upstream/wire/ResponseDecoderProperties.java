package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ResponseDecoderProperties {

  @Property
  void aBodyArrivesWholeHoweverItIsChunkedAndSplit(
      @ForAll @Size(max = 300) byte[] body,
      @ForAll @Size(max = 6) List<@IntRange(min = 1, max = 90) Integer> chunks,
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 1, max = 60) Integer> cuts)
      throws Exception {
    byte[] wire = chunked(body, chunks);
    DecoderProbe probe = DecoderProbe.expecting("GET");
    int at = 0;
    for (int i = 0; at < wire.length; i++) {
      int end = Math.min(wire.length, at + cuts.get(i % cuts.size()));
      assertThat(probe.ended()).isFalse();
      probe.feed(Arrays.copyOfRange(wire, at, end));
      at = end;
    }
    assertThat(probe.body()).isEqualTo(latin1(body));
    assertThat(probe.keepAlive()).isTrue();
    assertThat(probe.releasedAll()).isTrue();
  }

  /** Whatever the bytes are: a proper response, a refusal, or not enough yet; never a leak. */
  @Property
  void noiseNeverLeaksAndNeverEndsCleanlyWithoutAHead(
      @ForAll @Size(max = 200) byte[] noise, @ForAll boolean afterHead) {
    DecoderProbe probe = DecoderProbe.expecting("GET");
    try {
      if (afterHead) {
        probe.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      }
      probe.feed(noise);
    } catch (BadResponse expected) {
      assertThat(expected).hasMessageNotContaining("null");
    }
    assertThat(probe.releasedAll()).isTrue();
    assertThat(probe.ended() && probe.head() == null).isFalse();
  }

  private static byte[] chunked(byte[] body, List<Integer> sizes) {
    StringBuilder wire = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    int at = 0;
    for (int i = 0; at < body.length; i++) {
      int size = sizes.isEmpty() ? body.length : sizes.get(i % sizes.size());
      byte[] chunk = Arrays.copyOfRange(body, at, Math.min(body.length, at + size));
      wire.append(Integer.toHexString(chunk.length)).append("\r\n");
      wire.append(latin1(chunk)).append("\r\n");
      at += chunk.length;
    }
    return wire.append("0\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
