package io.penstock.sink.client;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BinaryColumn;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.ChannelSink;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.wire.BatchSchema;
import io.penstock.arrow.wire.ItemColumns;
import io.penstock.arrow.wire.ItemHead;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.arrow.wire.Label;
import io.penstock.arrow.wire.LabelType;
import io.penstock.arrow.wire.PayloadColumn;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Streams of batches of two rows whose payload follows from the row's number. */
public final class SampleStream {
  public static final int ROWS = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final BatchWriter writer;

  private SampleStream(String items) {
    BatchSchema schema =
        new BatchSchema(
            List.of(PayloadColumn.binary()), LabelType.NONE, Map.of("penstock.items", items));
    writer =
        new BatchWriter(
            schema.arrow(), new ChannelSink(Channels.newChannel(bytes)), BodyCompressor.NONE);
    writer.begin().toCompletableFuture().join();
  }

  /** Batches {@code from} to {@code to}, and the end. */
  public static byte[] complete(int from, int to) {
    return complete(from, to, "20");
  }

  public static byte[] complete(int from, int to, String items) {
    SampleStream stream = new SampleStream(items);
    stream.batches(from, to);
    stream.writer.end().toCompletableFuture().join();
    return stream.bytes.toByteArray();
  }

  /** The same, and then a failure. */
  public static byte[] failed(int from, int to, StreamError error) {
    SampleStream stream = new SampleStream("20");
    stream.batches(from, to);
    stream.writer.fail(error).toCompletableFuture().join();
    return stream.bytes.toByteArray();
  }

  /** A stream that stops somewhere in batch {@code to}. */
  public static byte[] broken(int from, int to) {
    int before = complete(from, to).length;
    byte[] more = complete(from, to + 1);
    return Arrays.copyOf(more, before + (more.length - before) / 2);
  }

  private void batches(int from, int to) {
    for (int batch = from; batch < to; batch++) {
      ItemColumns items = new ItemColumns(LabelType.NONE);
      BinaryColumn payload = new BinaryColumn();
      for (int i = 0; i < ROWS; i++) {
        int row = batch * ROWS + i;
        items.add(ItemHead.unread(row, "key-" + row), ItemStatus.OK, Label.NONE);
        payload.add(List.of(new Part(ByteBuffer.wrap(payload(row)))));
      }
      writer.write(ROWS, items.with(List.of(payload.body()))).toCompletableFuture().join();
    }
  }

  public static byte[] payload(int row) {
    byte[] payload = new byte[row % 3 == 0 ? 40_000 + row : row];
    new Random(row).nextBytes(payload);
    return payload;
  }

  public static List<Integer> rows(int from, int to) {
    List<Integer> rows = new ArrayList<>();
    for (int row = from * ROWS; row < to * ROWS; row++) {
      rows.add(row);
    }
    return rows;
  }

  private record Part(ByteBuffer view) implements BodyPart {
    @Override
    public int bytes() {
      return view.remaining();
    }

    @Override
    public void release() {}
  }
}
