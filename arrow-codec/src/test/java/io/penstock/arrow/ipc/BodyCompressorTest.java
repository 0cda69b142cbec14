package io.penstock.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.memory.BlockSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyCompressorTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final BlockSource memory = new ArrowBlockSource(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 1000, 4 << 20, (4 << 20) + 1, (9 << 20) + 17})
  void anotherImplementationReadsOurLz4Frames(int length) throws IOException {
    byte[] content = halfRandom(length);
    byte[] packed = compress(Compression.LZ4, content);
    assertThat(ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(length);
    ByteArrayInputStream frame = new ByteArrayInputStream(packed, 8, packed.length - 8);
    assertThat(new FramedLZ4CompressorInputStream(frame).readAllBytes()).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource(names = {"K64", "M4"})
  void weReadTheFramesOfAnotherImplementation(FramedLZ4CompressorOutputStream.BlockSize size)
      throws IOException {
    byte[] content = halfRandom(150_000);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    var parameters = new FramedLZ4CompressorOutputStream.Parameters(size, true, true, false);
    try (OutputStream lz4 = new FramedLZ4CompressorOutputStream(packed, parameters)) {
      lz4.write(content);
    }
    ByteBuffer target = ByteBuffer.allocateDirect(content.length);
    Lz4Frames.decompress(direct(packed.toByteArray()), target);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content));
  }

  @Test
  void aDamagedFrameIsSaidToBe() throws IOException {
    byte[] content = halfRandom(100_000);
    byte[] packed = compress(Compression.LZ4, content);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 500; i++) {
      byte[] frame = Arrays.copyOfRange(packed, 8, packed.length);
      frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
      ByteBuffer target = ByteBuffer.allocateDirect(content.length);
      try {
        Lz4Frames.decompress(direct(frame), target);
        // a flipped literal is not found without a checksum, but the length still is right
        assertThat(target.hasRemaining()).isFalse();
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("LZ4");
      }
    }
    for (int length = 0; length < packed.length - 8; length += 997) {
      ByteBuffer cut = direct(Arrays.copyOfRange(packed, 8, 8 + length));
      ByteBuffer target = ByteBuffer.allocateDirect(content.length);
      assertThatThrownBy(() -> Lz4Frames.decompress(cut, target))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void whatDoesNotShrinkIsSentAsItIs(Compression compression) throws IOException {
    byte[] content = new byte[10_000];
    new SplittableRandom(1).nextBytes(content);
    byte[] packed = compress(compression, content);
    assertThat(packed).hasSize(content.length + 8);
    assertThat(ByteBuffer.wrap(packed).getLong()).isEqualTo(-1);
    assertThat(Arrays.copyOfRange(packed, 8, packed.length)).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "ZSTD"})
  void anEmptyBufferStaysEmpty(Compression compression) throws IOException {
    assertThat(compress(compression, new byte[0])).isEmpty();
  }

  @Test
  void withoutCompressionPartsArePassedOn() {
    BodyBuffer buffer = BodyBuffer.heap(new byte[100]);
    assertThat(BodyCompressor.NONE.compress(buffer)).isSameAs(buffer);
  }

  private byte[] compress(Compression compression, byte[] content) throws IOException {
    int half = content.length / 2;
    BodyBuffer buffer =
        new BodyBuffer(
            List.of(
                new HeapPart(Arrays.copyOf(content, half)),
                new HeapPart(Arrays.copyOfRange(content, half, content.length))));
    BodyBuffer packed = new BodyCompressor(compression, memory).compress(buffer);
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(packed.bytes()));
    packed.parts().forEach(part -> bytes.put(part.view()));
    packed.release();
    return bytes.array();
  }

  /** Random bytes with long repetitions between them. */
  private static byte[] halfRandom(int length) {
    byte[] content = new byte[length];
    SplittableRandom random = new SplittableRandom(length);
    for (int at = 0; at < length; at += 32) {
      boolean noise = random.nextInt(4) == 0;
      byte value = (byte) random.nextInt(256);
      for (int i = at; i < Math.min(at + 32, length); i++) {
        content[i] = noise ? (byte) random.nextInt(256) : value;
      }
    }
    return content;
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
