package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Feeds a decoder and keeps what it says. */
final class DecoderProbe implements ResponseDecoder.Events {
  private final ResponseDecoder decoder = new ResponseDecoder();
  private final List<ByteBuf> fed = new ArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private ResponseHead head;
  private long bodyLength;
  private Boolean keepAlive;
  private int ends;

  static DecoderProbe expecting(String method) {
    DecoderProbe probe = new DecoderProbe();
    probe.decoder.expect(method, probe);
    return probe;
  }

  DecoderProbe feed(String latin1) throws BadResponse {
    return feed(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  DecoderProbe feed(byte[] bytes) throws BadResponse {
    ByteBuf buffer = Unpooled.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes);
    fed.add(buffer);
    decoder.feed(buffer);
    return this;
  }

  void close() throws BadResponse {
    decoder.inputClosed();
  }

  /** Whether every buffer came to its end exactly once. */
  boolean releasedAll() {
    return fed.stream().allMatch(buffer -> buffer.refCnt() == 0);
  }

  ResponseHead head() {
    return head;
  }

  long bodyLength() {
    return bodyLength;
  }

  String body() {
    return body.toString(StandardCharsets.ISO_8859_1);
  }

  boolean ended() {
    return ends == 1;
  }

  boolean keepAlive() {
    return ends == 1 && keepAlive;
  }

  @Override
  public void head(ResponseHead found, long length) {
    if (head != null) {
      throw new AssertionError("two heads");
    }
    head = found;
    bodyLength = length;
  }

  @Override
  public void data(ByteBuf buffer) {
    if (head == null || ends > 0 || !buffer.isReadable()) {
      throw new AssertionError("data out of place");
    }
    byte[] copy = new byte[buffer.readableBytes()];
    buffer.readBytes(copy);
    body.writeBytes(copy);
    buffer.release();
  }

  @Override
  public void end(boolean alive) {
    ends++;
    keepAlive = alive;
  }
}
