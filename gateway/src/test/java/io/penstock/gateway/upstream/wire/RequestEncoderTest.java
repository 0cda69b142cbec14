package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.upstream.UpstreamBody;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestEncoderTest {
  @Test
  void writesLineFieldsAndLength() {
    assertThat(encode("PUT", "/b/k%20?x=", HttpFields.of("host", "s", "A", "\u00e9"), bytes(3)))
        .isEqualTo("PUT /b/k%20?x= HTTP/1.1\r\nhost: s\r\nA: \u00e9\r\ncontent-length: 3\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource({"GET,false", "HEAD,false", "DELETE,false", "PUT,true", "POST,true"})
  void saysThatThereIsNoBodyWhereOneIsUsual(String method, boolean said) {
    String head = encode(method, "/", HttpFields.EMPTY, new UpstreamBody.None());
    assertThat(head.contains("content-length: 0")).isEqualTo(said);
  }

  @Test
  void anEmptyStreamHasALength() {
    UpstreamBody empty = new UpstreamBody.Streaming(new SteeredBody(0), 0);
    assertThat(encode("PUT", "/", HttpFields.EMPTY, empty)).contains("content-length: 0\r\n");
  }

  @Test
  void lengthsMayBeHuge() {
    long size = 50L << 40;
    UpstreamBody huge = new UpstreamBody.Streaming(new SteeredBody(size), size);
    assertThat(encode("PUT", "/", HttpFields.EMPTY, huge))
        .contains("content-length: 54975581388800\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\r\nb: c",
        "a\nb",
        "a\rb",
        "a\0b",
        "a\u0001",
        "a\u007f",
        "a\u0100",
        "\u010d\u010a"
      })
  void refusesValuesThatCouldEndALine(String value) {
    assertThatThrownBy(
            () -> encode("GET", "/", HttpFields.of("name", value), new UpstreamBody.None()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a b", "/a\r\n", "/\u00e9", "", "/a HTTP/1.1\r\nx: y"})
  void refusesTargetsThatAreNotEncoded(String target) {
    assertThatThrownBy(() -> encode("GET", target, HttpFields.EMPTY, new UpstreamBody.None()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length", "transfer-encoding", "", "a b"})
  void refusesNamesThatAreNotTheCallersToGive(String name) {
    assertThatThrownBy(() -> encode("GET", "/", HttpFields.of(name, "5"), new UpstreamBody.None()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static UpstreamBody bytes(int length) {
    return new UpstreamBody.Replayable(new byte[length]);
  }

  private static String encode(String method, String target, HttpFields fields, UpstreamBody body) {
    ByteBuf head =
        RequestEncoder.encode(
            new WireRequest(method, target, fields, body, true, new Cancellation()),
            UnpooledByteBufAllocator.DEFAULT);
    try {
      return head.toString(StandardCharsets.ISO_8859_1);
    } finally {
      head.release();
    }
  }
}
