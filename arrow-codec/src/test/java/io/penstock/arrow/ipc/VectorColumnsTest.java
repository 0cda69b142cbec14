package io.penstock.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VectorColumnsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void vectorsGoIntoTheBatchAsTheyAre() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String table;
    try (VectorSchemaRoot root = table()) {
      table = root.contentToTSVString();
      BatchWriter writer =
          new BatchWriter(
              root.getSchema(), new ChannelSink(Channels.newChannel(bytes)), BodyCompressor.NONE);
      writer.begin();
      writer.write(root.getRowCount(), VectorColumns.of(root)).toCompletableFuture().join();
      writer.end();
    }
    try (ArrowStreamReader reader =
        new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(reader.getVectorSchemaRoot().contentToTSVString()).isEqualTo(table);
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @Test
  void columnsOutliveTheirVectorsUntilTheyAreReleased() {
    List<ColumnBody> columns;
    try (VectorSchemaRoot root = table()) {
      columns = VectorColumns.of(root);
    }
    assertThat(allocator.getAllocatedMemory()).isPositive();
    assertThat(
            columns
                .getFirst()
                .buffers()
                .get(1)
                .parts()
                .getFirst()
                .view()
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt(4))
        .isEqualTo(10);
    columns.forEach(ColumnBody::release);
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  private VectorSchemaRoot table() {
    IntVector numbers = new IntVector("numbers", allocator);
    VarCharVector words = new VarCharVector("words", allocator);
    BitVector flags = new BitVector("flags", allocator);
    ListVector lists = ListVector.empty("lists", allocator);
    UnionListWriter list = lists.getWriter();
    for (int row = 0; row < 100; row++) {
      numbers.setSafe(row, row * 10);
      flags.setSafe(row, row % 3 == 0 ? 1 : 0);
      if (row % 7 != 0) {
        words.setSafe(row, ("word " + row).getBytes(StandardCharsets.UTF_8));
      }
      list.setPosition(row);
      list.startList();
      for (int i = 0; i < row % 4; i++) {
        list.bigInt().writeBigInt(row + i);
      }
      list.endList();
    }
    VectorSchemaRoot root = new VectorSchemaRoot(List.of(numbers, words, flags, lists));
    root.setRowCount(100);
    return root;
  }
}
