package io.penstock.arrow.ipc;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Encapsulated messages of the Arrow IPC format, version V5, without their bodies: continuation
 * marker, length of the metadata, the metadata itself, and zeros up to the next multiple of 64.
 */
final class Messages {
  /** Under this key the last message of a failed stream says why. */
  static final String ERROR_KEY = "penstock.error";

  /** What a message promises that is cut off: as little as a reader must miss. */
  static final long CUT_OFF_BODY = 64;

  static final int CONTINUATION = 0xFFFFFFFF;
  private static final int PREFIX = 8;
  private static final int ALIGNMENT = 64;

  private Messages() {}

  /** Where one buffer lies in a body. */
  record Extent(long offset, long bytes) {}

  static byte[] schema(Schema schema) {
    FlatBufferBuilder builder = new FlatBufferBuilder(1024);
    int header = schema.getSchema(builder);
    return encapsulated(builder, message(builder, MessageHeader.Schema, header, 0, 0));
  }

  static byte[] batch(
      int rows,
      List<ColumnBody.Node> nodes,
      List<Extent> buffers,
      Compression compression,
      long body) {
    FlatBufferBuilder builder = new FlatBufferBuilder(256 + 16 * (nodes.size() + buffers.size()));
    int header = recordBatch(builder, rows, nodes, buffers, compression);
    return encapsulated(builder, message(builder, MessageHeader.RecordBatch, header, body, 0));
  }

  /** The beginning of a batch that never comes, with the reason beside it. */
  static byte[] failure(StreamError error) {
    FlatBufferBuilder builder = new FlatBufferBuilder(1024);
    int key = builder.createString(ERROR_KEY);
    int value = builder.createString(StreamErrorJson.write(error));
    int[] entries = {KeyValue.createKeyValue(builder, key, value)};
    int metadata = Message.createCustomMetadataVector(builder, entries);
    int header = recordBatch(builder, 0, List.of(), List.of(), Compression.NONE);
    int message = message(builder, MessageHeader.RecordBatch, header, CUT_OFF_BODY, metadata);
    return encapsulated(builder, message);
  }

  static byte[] end() {
    return ByteBuffer.allocate(PREFIX).putInt(CONTINUATION).array();
  }

  private static int recordBatch(
      FlatBufferBuilder builder,
      int rows,
      List<ColumnBody.Node> nodes,
      List<Extent> buffers,
      Compression compression) {
    // flatbuffers are written from their end
    RecordBatch.startNodesVector(builder, nodes.size());
    for (ColumnBody.Node node : nodes.reversed()) {
      FieldNode.createFieldNode(builder, node.length(), node.nulls());
    }
    int nodesVector = builder.endVector();
    RecordBatch.startBuffersVector(builder, buffers.size());
    for (Extent buffer : buffers.reversed()) {
      Buffer.createBuffer(builder, buffer.offset(), buffer.bytes());
    }
    int buffersVector = builder.endVector();
    int codec =
        switch (compression) {
          case NONE -> 0;
          case LZ4 -> compressed(builder, CompressionType.LZ4_FRAME);
          case ZSTD -> compressed(builder, CompressionType.ZSTD);
        };
    RecordBatch.startRecordBatch(builder);
    RecordBatch.addLength(builder, rows);
    RecordBatch.addNodes(builder, nodesVector);
    RecordBatch.addBuffers(builder, buffersVector);
    if (codec != 0) {
      RecordBatch.addCompression(builder, codec);
    }
    return RecordBatch.endRecordBatch(builder);
  }

  private static int compressed(FlatBufferBuilder builder, byte type) {
    return BodyCompression.createBodyCompression(builder, type, BodyCompressionMethod.BUFFER);
  }

  private static int message(
      FlatBufferBuilder builder, byte type, int header, long body, int metadata) {
    Message.startMessage(builder);
    Message.addVersion(builder, MetadataVersion.V5);
    Message.addHeaderType(builder, type);
    Message.addHeader(builder, header);
    Message.addBodyLength(builder, body);
    if (metadata != 0) {
      Message.addCustomMetadata(builder, metadata);
    }
    return Message.endMessage(builder);
  }

  private static byte[] encapsulated(FlatBufferBuilder builder, int message) {
    Message.finishMessageBuffer(builder, message);
    ByteBuffer metadata = builder.dataBuffer();
    int total = Math.toIntExact(padded(PREFIX + metadata.remaining()));
    ByteBuffer bytes = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(CONTINUATION).putInt(total - PREFIX).put(metadata);
    return bytes.array();
  }

  /** The next multiple of 64. */
  static long padded(long bytes) {
    return Math.addExact(bytes, ALIGNMENT - 1) & -ALIGNMENT;
  }
}
