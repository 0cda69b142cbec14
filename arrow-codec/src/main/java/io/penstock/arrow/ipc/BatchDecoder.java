package io.penstock.arrow.ipc;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.penstock.arrow.ipc.BatchStreamException.Reason;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Cuts a body into the buffers of its columns, decompresses them, checks them. */
final class BatchDecoder {
  private static final ValueLayout.OfLong LENGTH =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FieldShape shape;
  private final BlockSource memory;
  private final ReadLimits limits;

  BatchDecoder(Schema schema, BlockSource memory, ReadLimits limits) {
    this.shape = FieldShape.of(schema);
    this.memory = memory;
    this.limits = limits;
  }

  /** Takes the body over, also if it throws. */
  ReceivedBatch decode(RecordBatch header, Block body) throws IOException {
    List<Block> blocks = new ArrayList<>(List.of(body));
    boolean done = false;
    try {
      int rows = Math.toIntExact(header.length());
      if (header.nodesLength() != shape.nodes() || header.buffersLength() != shape.buffers()) {
        throw BatchStreamException.of(
            Reason.MALFORMED,
            "a batch of %d nodes and %d buffers, where the schema takes %d and %d"
                .formatted(
                    header.nodesLength(), header.buffersLength(), shape.nodes(), shape.buffers()));
      }
      List<MemorySegment> buffers = buffers(header, body, blocks);
      List<ReceivedColumn> columns = columns(header, rows, buffers);
      done = true;
      return new ReceivedBatch(rows, columns, blocks);
    } finally {
      if (!done) {
        blocks.forEach(Block::close);
      }
    }
  }

  private List<MemorySegment> buffers(RecordBatch header, Block body, List<Block> blocks)
      throws IOException {
    Compression compression = compression(header);
    List<MemorySegment> buffers = new ArrayList<>();
    long room = limits.body();
    for (int i = 0; i < header.buffersLength(); i++) {
      Buffer extent = header.buffers(i);
      if ((extent.offset() & 7) != 0) {
        throw BatchStreamException.of(Reason.MALFORMED, "a buffer at " + extent.offset());
      }
      MemorySegment buffer = body.segment().asSlice(extent.offset(), extent.length());
      if (compression != Compression.NONE && buffer.byteSize() > 0) {
        long length = buffer.get(LENGTH, 0);
        MemorySegment packed = buffer.asSlice(Long.BYTES);
        if (length == -1) {
          buffer = packed;
        } else {
          room -= checked(length, room);
          Block block = memory.allocate(length);
          blocks.add(block);
          unpack(compression, packed, block.segment());
          buffer = block.segment();
        }
      }
      buffers.add(buffer);
    }
    return buffers;
  }

  private static long checked(long length, long room) throws IOException {
    if (length < 0 || length > Integer.MAX_VALUE || length > room) {
      throw BatchStreamException.of(
          Reason.TOO_LARGE,
          "a buffer of %d bytes when decompressed: %d are left".formatted(length, room));
    }
    return length;
  }

  private static void unpack(Compression compression, MemorySegment from, MemorySegment to)
      throws IOException {
    ByteBuffer source = from.asByteBuffer();
    ByteBuffer target = to.asByteBuffer();
    if (compression == Compression.LZ4) {
      Lz4Frames.decompress(source, target);
      return;
    }
    long length;
    try {
      length =
          Zstd.decompressDirectByteBuffer(
              target, 0, target.capacity(), source, 0, source.capacity());
    } catch (ZstdException e) {
      throw BatchStreamException.malformed("a Zstandard frame is damaged: " + e.getMessage(), e);
    }
    if (length != target.capacity()) {
      throw BatchStreamException.of(
          Reason.MALFORMED,
          "a Zstandard frame gives %d bytes instead of %d".formatted(length, target.capacity()));
    }
  }

  private static Compression compression(RecordBatch header) throws IOException {
    BodyCompression compression = header.compression();
    if (compression == null) {
      return Compression.NONE;
    }
    if (compression.method() == BodyCompressionMethod.BUFFER) {
      if (compression.codec() == CompressionType.LZ4_FRAME) {
        return Compression.LZ4;
      }
      if (compression.codec() == CompressionType.ZSTD) {
        return Compression.ZSTD;
      }
    }
    throw BatchStreamException.of(
        Reason.UNSUPPORTED, "body compression with codec " + compression.codec());
  }

  private List<ReceivedColumn> columns(RecordBatch header, int rows, List<MemorySegment> buffers)
      throws IOException {
    List<ReceivedColumn> columns = new ArrayList<>();
    int node = 0;
    int buffer = 0;
    for (FieldShape.Column column : shape.columns()) {
      List<ColumnBody.Node> nodes = new ArrayList<>();
      for (int i = 0; i < column.nodes(); i++) {
        FieldNode field = header.nodes(node++);
        nodes.add(new ColumnBody.Node(field.length(), field.nullCount()));
      }
      if (nodes.getFirst().length() != rows) {
        throw BatchStreamException.of(
            Reason.MALFORMED,
            "column %s has %d values in a batch of %d rows"
                .formatted(column.field().getName(), nodes.getFirst().length(), rows));
      }
      List<MemorySegment> own = List.copyOf(buffers.subList(buffer, buffer + column.buffers()));
      buffer += column.buffers();
      ReceivedColumn received = new ReceivedColumn(column.field(), nodes, own);
      ColumnCheck.check(received);
      columns.add(received);
    }
    return columns;
  }
}
