package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseDecoderTest {
  private static final String LENGTH =
      "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nX-Amz-Meta-N: caf\u00e9 \r\nEmpty:\r\nContent-Length: 5\r\n\r\nhello";
  private static final String CHUNKED =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "4;ext=\"1\"\r\nhell\r\n0001\r\no\r\n0\r\nTrailer: 1\r\n\r\n";
  private static final String INTERIM = "HTTP/1.1 100 Continue\r\n\r\n";

  @ParameterizedTest
  @ValueSource(strings = {LENGTH, CHUNKED, INTERIM + INTERIM + LENGTH})
  void readsAResponseSplitAtAnyTwoPositions(String response) throws Exception {
    for (int first = 0; first <= response.length(); first++) {
      for (int second = first; second <= response.length(); second += 7) {
        DecoderProbe probe =
            DecoderProbe.expecting("GET")
                .feed(response.substring(0, first))
                .feed(response.substring(first, second))
                .feed(response.substring(second));
        assertThat(probe.body()).isEqualTo("hello");
        assertThat(probe.keepAlive()).isTrue();
        assertThat(probe.releasedAll()).isTrue();
      }
    }
  }

  @Test
  void keepsFieldsAsTheyAreButThoseOfTheConnection() throws Exception {
    DecoderProbe probe =
        DecoderProbe.expecting("GET")
            .feed(LENGTH.replace("Empty:", "Connection: keep-alive\r\nKeep-Alive: x\r\nEmpty:"));
    assertThat(probe.bodyLength()).isEqualTo(5);
    assertThat(probe.head().status()).isEqualTo(200);
    assertThat(probe.head().fields().size()).isEqualTo(4);
    assertThat(probe.head().fields().get("etag")).contains("\"a\"");
    assertThat(probe.head().fields().get("x-amz-meta-n")).contains("caf\u00e9");
    assertThat(probe.head().fields().get("empty")).contains("");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void someStatusesHaveNoBody(int status) throws Exception {
    DecoderProbe probe =
        DecoderProbe.expecting("GET")
            .feed("HTTP/1.1 " + status + " X\r\nContent-Length: 5\r\n\r\n");
    assertThat(probe.bodyLength()).isZero();
    assertThat(probe.keepAlive()).isTrue();
  }

  @Test
  void aHeadRequestHasNoBodyInItsAnswer() throws Exception {
    DecoderProbe probe =
        DecoderProbe.expecting("HEAD").feed("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
    assertThat(probe.bodyLength()).isZero();
    assertThat(probe.keepAlive()).isTrue();
    assertThat(probe.head().fields().get("content-length")).contains("5000");
  }

  @Test
  void anythingAfterTheEndSpoilsTheConnection() throws Exception {
    assertThat(DecoderProbe.expecting("GET").feed(LENGTH + "x").keepAlive()).isFalse();
    assertThat(DecoderProbe.expecting("GET").feed(CHUNKED + "x").keepAlive()).isFalse();
    assertThat(DecoderProbe.expecting("HEAD").feed(LENGTH).keepAlive()).isFalse();
    DecoderProbe late = DecoderProbe.expecting("GET").feed(LENGTH);
    assertThatThrownBy(() -> late.feed("x")).isInstanceOf(BadResponse.class);
    assertThat(late.releasedAll()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: Close, x\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"
      })
  void someResponsesEndTheConnection(String response) throws Exception {
    DecoderProbe probe = DecoderProbe.expecting("GET").feed(response);
    assertThat(probe.ended()).isTrue();
    assertThat(probe.keepAlive()).isFalse();
  }

  @Test
  void aBodyWithoutALengthEndsWithTheConnection() throws Exception {
    DecoderProbe probe = DecoderProbe.expecting("GET").feed("HTTP/1.1 200\r\n\r\nhel").feed("lo");
    assertThat(probe.bodyLength()).isEqualTo(-1);
    assertThat(probe.ended()).isFalse();
    probe.close();
    assertThat(probe.ended()).isTrue();
    assertThat(probe.keepAlive()).isFalse();
    assertThat(probe.body()).isEqualTo("hello");
  }

  @ParameterizedTest
  @ValueSource(strings = {LENGTH, CHUNKED})
  void anEarlyCloseIsNoEnd(String response) throws Exception {
    for (int at = 0; at < response.length(); at++) {
      DecoderProbe probe = DecoderProbe.expecting("GET").feed(response.substring(0, at));
      assertThatThrownBy(probe::close).isInstanceOf(BadResponse.class);
      assertThat(probe.ended()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.2 200 OK\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n",
        "HTTP/1.1 600 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\nA: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
      })
  void refusesWhatIsUnclear(String response) {
    DecoderProbe whole = DecoderProbe.expecting("GET");
    assertThatThrownBy(() -> whole.feed(response)).isInstanceOf(BadResponse.class);
    assertThat(whole.ended()).isFalse();
    assertThat(whole.releasedAll()).isTrue();
    DecoderProbe dripping = DecoderProbe.expecting("GET");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < response.length(); i++) {
                dripping.feed(response.substring(i, i + 1));
              }
            })
        .isInstanceOf(BadResponse.class);
  }

  @Test
  void boundsTheHeadTheChunkLineAndTheTrailer() {
    String long1 = "HTTP/1.1 200 OK\r\nA: " + "x".repeat(70_000);
    assertThatThrownBy(() -> DecoderProbe.expecting("GET").feed(long1 + "\r\n\r\n"))
        .isInstanceOf(BadResponse.class)
        .hasMessageContaining("65536");
    String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThatThrownBy(() -> DecoderProbe.expecting("GET").feed(chunked + "1;" + "x".repeat(9_000)))
        .isInstanceOf(BadResponse.class);
    assertThatThrownBy(
            () -> DecoderProbe.expecting("GET").feed(chunked + "0\r\n" + "A: b\r\n".repeat(2_000)))
        .isInstanceOf(BadResponse.class);
  }

  @Test
  void takesAHeadOfManyKilobytes() throws Exception {
    String big = "HTTP/1.1 200 OK\r\nA: " + "x".repeat(60_000) + "\r\nContent-Length: 0\r\n\r\n";
    assertThat(DecoderProbe.expecting("GET").feed(big).keepAlive()).isTrue();
  }

  @Test
  void passesBodyBuffersOnAsTheyAre() throws Exception {
    List<ByteBuf> passed = new ArrayList<>();
    ResponseDecoder decoder = new ResponseDecoder();
    decoder.expect("GET", new Keeping(passed));
    ByteBuf head = Unpooled.copiedBuffer(LENGTH.substring(0, LENGTH.length() - 3).getBytes());
    ByteBuf rest = Unpooled.copiedBuffer("llo".getBytes());
    decoder.feed(head);
    decoder.feed(rest);
    assertThat(passed).hasSize(2);
    assertThat(passed.get(0)).isSameAs(head);
    assertThat(passed.get(1)).isSameAs(rest);
    passed.forEach(ByteBuf::release);
  }

  /** 5 GiB do not fit in 32 bits; the one buffer is passed through again and again. */
  @Test
  void countsBeyondThirtyTwoBits() throws Exception {
    long size = 5L << 30;
    ByteBuf piece = Unpooled.directBuffer(64 << 20).writeZero(64 << 20);
    long[] seen = new long[2];
    ResponseDecoder decoder = new ResponseDecoder();
    decoder.expect(
        "GET",
        new ResponseDecoder.Events() {
          @Override
          public void head(ResponseHead head, long bodyLength) {
            seen[1] = bodyLength;
          }

          @Override
          public void data(ByteBuf buffer) {
            seen[0] += buffer.readableBytes();
            buffer.release();
          }

          @Override
          public void end(boolean keepAlive) {
            assertThat(keepAlive).isTrue();
            seen[1] = -seen[1];
          }
        });
    decoder.feed(
        Unpooled.copiedBuffer(
            ("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n").getBytes()));
    assertThat(seen[1]).isEqualTo(size);
    for (long sent = 0; sent < size; sent += piece.readableBytes()) {
      assertThat(decoder.remaining()).isEqualTo(size - sent);
      decoder.feed(piece.retainedDuplicate());
    }
    assertThat(seen[0]).isEqualTo(size);
    assertThat(seen[1]).isEqualTo(-size);
    piece.release();
  }

  private record Keeping(List<ByteBuf> passed) implements ResponseDecoder.Events {
    @Override
    public void head(ResponseHead head, long bodyLength) {}

    @Override
    public void data(ByteBuf buffer) {
      passed.add(buffer);
    }

    @Override
    public void end(boolean keepAlive) {}
  }
}
