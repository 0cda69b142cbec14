package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Runs decoders in tests: with guarded memory around the destination, and as bytes to compare. */
final class Decoding {

  private static final int GUARD = 4096;
  private static final byte GUARDED = 0x5a;

  private Decoding() {}

  static byte[] run(Decoder decoder, byte[] bytes, long item) throws DecodeException {
    try (Arena arena = Arena.ofShared()) {
      return run(decoder, ObjectBytes.of(offHeap(arena, bytes)), item);
    }
  }

  /** What was decoded, as bytes: the sample itself, or the table as an Arrow stream. */
  static byte[] run(Decoder decoder, ObjectBytes bytes, long item) throws DecodeException {
    return switch (decoder) {
      case TensorDecoder tensors -> sample(tensors, bytes, item);
      case TableDecoder tables -> table(tables, bytes);
    };
  }

  static Optional<DecodeFault> fault(Decoder decoder, byte[] bytes) {
    try {
      run(decoder, bytes, 0);
      return Optional.empty();
    } catch (DecodeException e) {
      assertThat(e.getMessage()).isNotBlank();
      return Optional.of(e.fault());
    }
  }

  private static byte[] sample(TensorDecoder decoder, ObjectBytes bytes, long item)
      throws DecodeException {
    try (Arena arena = Arena.ofShared()) {
      long length = decoder.tensor().bytesPerSample();
      MemorySegment guarded = arena.allocate(length + 2 * GUARD, 64).fill(GUARDED);
      MemorySegment destination = guarded.asSlice(GUARD, length);
      try {
        decoder.decode(bytes, item, destination);
      } finally {
        MemorySegment guard = arena.allocate(GUARD).fill(GUARDED);
        assertThat(guarded.asSlice(0, GUARD).mismatch(guard)).isEqualTo(-1);
        assertThat(guarded.asSlice(GUARD + length).mismatch(guard)).isEqualTo(-1);
      }
      return destination.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static byte[] table(TableDecoder decoder, ObjectBytes bytes) throws DecodeException {
    try (RootAllocator allocator = new RootAllocator(1 << 26);
        VectorSchemaRoot root = decoder.decode(bytes, allocator)) {
      assertThat(decoder.schema(bytes)).isEqualTo(root.getSchema());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(out))) {
        writer.writeBatch();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteArray();
    }
  }

  static MemorySegment offHeap(Arena arena, byte[] bytes) {
    MemorySegment segment = arena.allocate(Math.max(1, bytes.length), 64).asSlice(0, bytes.length);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  /** A file beside this class. */
  static byte[] resource(String name) {
    try (InputStream in = Decoding.class.getResourceAsStream(name)) {
      assertThat(in).as("test file %s", name).isNotNull();
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
