package io.penstock.arrow.ipc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Arrow's vectors as columns of a batch: their memory goes into it as it is. */
public final class VectorColumns {
  private static final long LONGEST = 1L << 30;

  private VectorColumns() {}

  /**
   * One column for each vector of {@code root}, which may be closed at once: the columns keep the
   * memory they need.
   *
   * @throws IllegalArgumentException if a vector is of a type whose buffers vary in number
   */
  public static List<ColumnBody> of(VectorSchemaRoot root) {
    FieldShape shape = FieldShape.of(root.getSchema());
    List<ColumnBody> columns = new ArrayList<>();
    try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
      int node = 0;
      int buffer = 0;
      for (FieldShape.Column column : shape.columns()) {
        List<ColumnBody.Node> nodes = new ArrayList<>();
        for (ArrowFieldNode field : batch.getNodes().subList(node, node + column.nodes())) {
          nodes.add(new ColumnBody.Node(field.getLength(), field.getNullCount()));
        }
        List<BodyBuffer> buffers = new ArrayList<>();
        for (ArrowBuf buf : batch.getBuffers().subList(buffer, buffer + column.buffers())) {
          buffers.add(new BodyBuffer(parts(buf)));
        }
        node += column.nodes();
        buffer += column.buffers();
        columns.add(new ColumnBody(nodes, buffers));
      }
    }
    return columns;
  }

  private static List<BodyPart> parts(ArrowBuf buffer) {
    List<BodyPart> parts = new ArrayList<>();
    for (long at = 0; at < buffer.readableBytes(); at += LONGEST) {
      long length = Math.min(LONGEST, buffer.readableBytes() - at);
      buffer.getReferenceManager().retain();
      parts.add(new VectorPart(buffer.slice(at, length), new AtomicBoolean()));
    }
    return parts;
  }

  private record VectorPart(ArrowBuf slice, AtomicBoolean released) implements BodyPart {
    @Override
    public int bytes() {
      return Math.toIntExact(slice.capacity());
    }

    @Override
    public ByteBuffer view() {
      return slice.nioBuffer(0, bytes());
    }

    @Override
    public void release() {
      if (released.getAndSet(true)) {
        throw new IllegalStateException("a part of " + slice.capacity() + " bytes released twice");
      }
      slice.getReferenceManager().release();
    }
  }
}
