package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BinaryColumn;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.ChannelSink;
import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorColumn;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Streams whose every value follows from the row's number, so that any reader can be asked to
 * reckon them again.
 */
public final class Streams {
  public static final TensorSpec TENSOR = TensorSpec.nchw(DType.FLOAT32, 3, 2, 4);
  public static final TensorSpec HALF = TensorSpec.nhwc(DType.FLOAT16, 2, 2, 1);
  public static final Map<String, String> METADATA = Map.of("penstock.protocol", "1");

  /** Rows of the batches of {@link #complete}: an empty one is among them. */
  public static final List<Integer> BATCHES = List.of(5, 0, 17, 1);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final BlockSource memory;
  private final BatchWriter writer;

  private final boolean halves;

  private Streams(BlockSource memory, Compression compression, BatchSchema schema) {
    this.halves = schema.payload().size() == 3;
    this.memory = memory;
    BodyCompressor compressor =
        compression == Compression.NONE
            ? BodyCompressor.NONE
            : new BodyCompressor(compression, memory);
    this.writer =
        new BatchWriter(schema.arrow(), new ChannelSink(Channels.newChannel(bytes)), compressor);
  }

  public static BatchSchema schema(TensorField.Form form) {
    return new BatchSchema(
        List.of(
            PayloadColumn.binary(),
            PayloadColumn.tensor(TENSOR, form),
            new PayloadColumn.Tensor("half", HALF, form)),
        LabelType.INT64,
        METADATA);
  }

  /** A complete stream. */
  public static byte[] complete(BlockSource memory, Compression compression) {
    return complete(memory, compression, TensorField.Form.EXTENSION);
  }

  /** A complete stream of plain lists without {@code float16}, which not everybody reads. */
  public static byte[] withoutHalves(BlockSource memory, Compression compression) {
    BatchSchema schema = schema(TensorField.Form.LIST);
    Streams streams =
        new Streams(
            memory,
            compression,
            new BatchSchema(schema.payload().subList(0, 2), schema.label(), METADATA));
    streams.batches();
    streams.writer.end().toCompletableFuture().join();
    return streams.bytes.toByteArray();
  }

  /** A complete stream, its tensors declared in that form. */
  public static byte[] complete(
      BlockSource memory, Compression compression, TensorField.Form form) {
    Streams streams = new Streams(memory, compression, schema(form));
    streams.batches();
    streams.writer.end().toCompletableFuture().join();
    return streams.bytes.toByteArray();
  }

  /** A stream that fails after its batches. */
  public static byte[] failed(BlockSource memory, StreamError error) {
    return failed(memory, error, TensorField.Form.EXTENSION);
  }

  /** A stream that fails after its batches, its tensors declared in that form. */
  public static byte[] failed(BlockSource memory, StreamError error, TensorField.Form form) {
    Streams streams = new Streams(memory, Compression.NONE, schema(form));
    streams.batches();
    streams.writer.fail(error).toCompletableFuture().join();
    return streams.bytes.toByteArray();
  }

  /** A stream that is only as long as its schema and its end. */
  public static byte[] empty(BlockSource memory) {
    Streams streams = new Streams(memory, Compression.NONE, schema(TensorField.Form.EXTENSION));
    streams.writer.begin().toCompletableFuture().join();
    streams.writer.end().toCompletableFuture().join();
    return streams.bytes.toByteArray();
  }

  private void batches() {
    writer.begin().toCompletableFuture().join();
    int first = 0;
    for (int rows : BATCHES) {
      writer.write(rows, batch(first, rows)).toCompletableFuture().join();
      first += rows;
    }
  }

  public static boolean failed(int row) {
    return row % 5 == 3;
  }

  /** Bytes of a row's payload, printable: one of the readers cannot give others to its caller. */
  public static byte[] payload(int row) {
    byte[] payload = new byte[row % 7 == 0 ? 0 : row * 97 % 5000];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (' ' + (row * 31 + i / 3) % 90);
    }
    return payload;
  }

  public static float element(int row, int element) {
    return row + element / 64f;
  }

  public static ItemHead head(int row) {
    return new ItemHead(
        row,
        "key-" + row + "-äöü",
        row % 2 == 0 ? Optional.of("member/" + row) : Optional.empty(),
        Optional.empty(),
        failed(row) ? Optional.empty() : Optional.of("\"etag" + row + "\""),
        failed(row) ? OptionalLong.empty() : OptionalLong.of(payload(row).length));
  }

  public static ItemStatus status(int row) {
    return failed(row) ? new ItemStatus.Failed(404, "NoSuchKey", "no key " + row) : ItemStatus.OK;
  }

  public static Label label(int row) {
    return row % 4 == 0 ? Label.NONE : new Label.Whole(row - 10);
  }

  private List<ColumnBody> batch(int first, int rows) {
    ItemColumns items = new ItemColumns(LabelType.INT64);
    BinaryColumn payload = new BinaryColumn();
    try (TensorColumn tensors = new TensorColumn(TENSOR, rows, memory);
        TensorColumn half = new TensorColumn(HALF, rows, memory)) {
      for (int i = 0; i < rows; i++) {
        int row = first + i;
        items.add(head(row), status(row), label(row));
        if (failed(row)) {
          payload.addNull();
          tensors.sample(i).fill((byte) 0x55);
        } else {
          payload.add(parts(payload(row)));
          write(tensors, i, row);
          MemorySegment sample = half.sample(i);
          for (int e = 0; e < HALF.elements(); e++) {
            sample.setAtIndex(
                ValueLayout.JAVA_SHORT_UNALIGNED, e, Float.floatToFloat16(element(row, e)));
          }
          half.filled(i);
        }
      }
      List<ColumnBody> columns =
          new ArrayList<>(List.of(payload.body(), ColumnBody.tensors(tensors)));
      if (halves) {
        columns.add(ColumnBody.tensors(half));
      }
      return items.with(columns);
    }
  }

  private static void write(TensorColumn tensors, int sample, int row) {
    ByteBuffer target = tensors.sample(sample).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    for (int e = 0; e < TENSOR.elements(); e++) {
      target.putFloat(element(row, e));
    }
    tensors.filled(sample);
  }

  /** The bytes in up to three parts, none of which lies on the heap. */
  private static List<BodyPart> parts(byte[] payload) {
    List<BodyPart> parts = new ArrayList<>();
    int third = payload.length / 3 + 1;
    for (int at = 0; at < payload.length; at += third) {
      int length = Math.min(third, payload.length - at);
      parts.add(new DirectPart(ByteBuffer.allocateDirect(length).put(payload, at, length).flip()));
    }
    return parts;
  }

  /** A part that says when it is released twice. */
  private static final class DirectPart implements BodyPart {
    private final ByteBuffer buffer;
    private boolean released;

    DirectPart(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public int bytes() {
      return buffer.remaining();
    }

    @Override
    public ByteBuffer view() {
      if (released) {
        throw new IllegalStateException("viewed after release");
      }
      return buffer.slice();
    }

    @Override
    public void release() {
      if (released) {
        throw new IllegalStateException("released twice");
      }
      released = true;
    }
  }
}
