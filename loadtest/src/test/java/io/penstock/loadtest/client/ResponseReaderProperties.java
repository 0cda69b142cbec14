package io.penstock.loadtest.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ResponseReaderProperties {
  private static final String STREAM =
      """
      HTTP/1.1 100 Continue

      HTTP/1.1 200 OK
      Content-Length: 11

      hello worldHTTP/1.1 204 No Content
      X: y

      HTTP/1.1 200 OK
      transfer-encoding: chunked

      5;ext=1
      hello
      6
       world
      0
      trailer: 1

      HTTP/1.1 404 Not Found
      CONTENT-LENGTH:   3
      Connection: close

      nix"""
          .replace("\n", "\r\n");

  private static final List<String> EXPECTED =
      List.of(
          "200",
          "hello world",
          "end true",
          "204",
          "",
          "end true",
          "200",
          "hello world",
          "end true",
          "404",
          "nix",
          "end false");

  /** Notes what it is told. */
  private static final class Notes implements ResponseReader.Sink {
    private final List<String> notes = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();

    @Override
    public void head(int status) {
      notes.add(Integer.toString(status));
    }

    @Override
    public void body(ByteBuf in, int count) {
      body.append(in.toString(in.readerIndex(), count, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void end(boolean keepAlive) {
      notes.add(body.toString());
      notes.add("end " + keepAlive);
      body.setLength(0);
    }
  }

  @Property
  void anySplitReadsTheSame(
      @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 60) Integer> cuts) {
    var notes = new Notes();
    var reader = new ResponseReader(notes);
    ByteBuf all = Unpooled.copiedBuffer(STREAM, StandardCharsets.ISO_8859_1);
    for (int cut : cuts) {
      reader.read(all.readSlice(Math.min(cut, all.readableBytes())));
    }
    reader.read(all);
    assertThat(notes.notes).isEqualTo(EXPECTED);
  }

  @Example
  void byteByByte() {
    var notes = new Notes();
    var reader = new ResponseReader(notes);
    ByteBuf all = Unpooled.copiedBuffer(STREAM, StandardCharsets.ISO_8859_1);
    while (all.isReadable()) {
      reader.read(all.readSlice(1));
    }
    assertThat(notes.notes).isEqualTo(EXPECTED);
  }

  @Example
  void aBodyWithoutALengthEndsWithTheConnection() {
    var notes = new Notes();
    var reader = new ResponseReader(notes);
    reader.read(Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\n\r\nabc", StandardCharsets.US_ASCII));
    assertThat(notes.notes).containsExactly("200");
    reader.closed();
    assertThat(notes.notes).containsExactly("200", "abc", "end false");
  }

  @Example
  void whatIsNotHttpIsRefused() {
    var reader = new ResponseReader(new Notes());
    ByteBuf noise = Unpooled.copiedBuffer("SSH-2.0-x\r\n\r\n", StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> reader.read(noise)).isInstanceOf(IllegalStateException.class);
  }
}
