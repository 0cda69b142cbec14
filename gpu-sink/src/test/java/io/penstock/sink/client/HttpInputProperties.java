package io.penstock.sink.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class HttpInputProperties {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** Gives bytes in portions, and remembers into what memory it was asked to write them. */
  private static final class Portions implements Wire {
    private final ByteBuffer bytes;
    private final int most;
    private final List<ByteBuffer> targets = new ArrayList<>();

    Portions(byte[] bytes, int most) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.most = most;
    }

    @Override
    public long read(ByteBuffer first, ByteBuffer second) {
      targets.add(first);
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int left = Math.min(most, bytes.remaining());
      int before = bytes.position();
      for (ByteBuffer target : List.of(first, second)) {
        int length = Math.min(left, target.remaining());
        target.put(bytes.slice(bytes.position(), length));
        bytes.position(bytes.position() + length);
        left -= length;
      }
      return bytes.position() - before;
    }

    @Override
    public void write(ByteBuffer ignored) {}

    @Override
    public void close() {}
  }

  private static byte[] response(byte[] body, List<Integer> chunks) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii(HEAD));
    int at = 0;
    for (int i = 0; at < body.length; i++) {
      int length = Math.min(body.length - at, chunks.get(i % chunks.size()));
      out.writeBytes(ascii(Integer.toHexString(length) + "\r\n"));
      out.write(body, at, length);
      out.writeBytes(ascii("\r\n"));
      at += length;
    }
    out.writeBytes(ascii("0\r\n\r\n"));
    return out.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] read(HttpInput input, List<Integer> reads) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
    for (int i = 0; ; i++) {
      ByteBuffer target = memory.clear().limit(reads.get(i % reads.size()));
      if (input.read(target) < 0) {
        return out.toByteArray();
      }
      byte[] part = new byte[target.flip().remaining()];
      target.get(part);
      out.writeBytes(part);
    }
  }

  @Property(tries = 200)
  void anyChunksAndAnyReadsGiveTheBody(
      @ForAll @IntRange(max = 60_000) int length,
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 40_000) Integer> chunks,
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 40_000) Integer> reads,
      @ForAll @IntRange(min = 1, max = 30_000) int portion)
      throws IOException {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    // a chunk a byte of a large body is only slow
    List<Integer> larger = chunks.stream().map(chunk -> chunk + length / 200).toList();
    List<Integer> largerReads = reads.stream().map(read -> read + length / 200).toList();
    HttpInput input = new HttpInput(new Portions(response(body, larger), portion + length / 200));
    assertThat(input.head().status()).isEqualTo(200);
    assertThat(read(input, largerReads)).isEqualTo(body);
    assertThat(input.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  /** A response that is cut anywhere gives a beginning of its body, and then its end. */
  @Property(tries = 200)
  void whatIsCutIsNeverLonger(@ForAll @IntRange(max = 5000) int cut) throws IOException {
    byte[] body = new byte[4000];
    new Random(1).nextBytes(body);
    byte[] whole = response(body, List.of(700));
    HttpInput input =
        new HttpInput(new Portions(Arrays.copyOf(whole, Math.min(cut, whole.length)), 333));
    if (cut < HEAD.length()) {
      assertThatThrownBy(input::head).isInstanceOf(IOException.class);
    } else {
      input.head();
      byte[] read = read(input, List.of(9000));
      assertThat(read).isEqualTo(Arrays.copyOf(body, read.length));
    }
  }

  /** The wire writes into the reader's own memory: nothing lies between. */
  @Example
  void aLargeReadGoesStraightIntoTheReadersMemory() throws IOException {
    byte[] body = new byte[1 << 20];
    new Random(2).nextBytes(body);
    Portions wire = new Portions(response(body, List.of(1 << 18)), 1 << 16);
    HttpInput input = new HttpInput(wire);
    input.head();
    ByteBuffer target = ByteBuffer.allocateDirect(body.length);
    int reads = 0;
    while (target.hasRemaining()) {
      assertThat(input.read(target)).isPositive();
      reads++;
    }
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(body));
    assertThat(wire.targets.stream().filter(seen -> seen == target).count())
        .isGreaterThan(reads / 2);
    assertThat(wire.targets).allMatch(ByteBuffer::isDirect);
  }

  @Example
  void nonsenseIsRefused() {
    for (String head :
        List.of(
            "220 mail.example.org ESMTP\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(20_000) + "\r\n",
            "HTTP/1.1 200 OK\r\na: " + "b".repeat(10_000) + "\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n")) {
      assertThatThrownBy(() -> new HttpInput(new Portions(ascii(head), 100)).head())
          .as(head.substring(0, 26))
          .isInstanceOf(IOException.class);
    }
    HttpInput input =
        new HttpInput(
            new Portions(
                ascii("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n"), 100));
    assertThatThrownBy(
            () -> {
              input.head();
              input.read(ByteBuffer.allocate(10));
            })
        .hasMessage("a chunk has no length");
  }
}
