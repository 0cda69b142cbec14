package io.penstock.arrow.ipc;

import io.penstock.arrow.ipc.BatchStreamException.Reason;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads one Arrow IPC stream, batch by batch, each body straight into one block. Trusts nothing: a
 * length is checked against {@link ReadLimits} before anything is allocated, every buffer against
 * its body, every offset against its buffer. A stream that stops anywhere but at its declared end
 * is a {@link BatchStreamException}, and so is one whose writer says that it failed.
 *
 * <p>Threading: one thread at a time, blocked while the channel has nothing to give.
 *
 * <p>Ownership: each batch owns its memory and is closed by who asked for it. The channel stays its
 * opener's.
 */
public final class BatchReader {
  private static final long SLICE = 1L << 30;

  private final ReadableByteChannel channel;
  private final BlockSource memory;
  private final ReadLimits limits;
  private Optional<Incoming> incoming = Optional.empty();
  private boolean ended;
  private boolean broken;

  private record Incoming(Schema schema, BatchDecoder decoder) {}

  /** A reader of {@code channel}, whose batches lie in blocks of {@code memory}. */
  public BatchReader(ReadableByteChannel channel, BlockSource memory, ReadLimits limits) {
    this.channel = channel;
    this.memory = memory;
    this.limits = limits;
  }

  /**
   * The schema, read on the first call of this or of {@link #next}.
   *
   * @throws BatchStreamException if the stream is not what it should be
   */
  public Schema schema() throws IOException {
    return guarded(this::begin).schema();
  }

  /**
   * The names and types of the columns, for people.
   *
   * @throws BatchStreamException if the stream is not what it should be
   */
  public String columns() throws IOException {
    return schema().getFields().stream()
        .map(field -> field.getName() + " " + field.getType())
        .collect(Collectors.joining(", "));
  }

  /**
   * The next batch, or nothing after the last one of a complete stream.
   *
   * @throws BatchStreamException if the stream is not what it should be
   */
  public Optional<ReceivedBatch> next() throws IOException {
    return guarded(this::advance);
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  private <T> T guarded(Step<T> step) throws IOException {
    if (broken) {
      throw BatchStreamException.of(Reason.MALFORMED, "the stream broke before; open it again");
    }
    boolean done = false;
    try {
      T result = step.take();
      done = true;
      return result;
    } catch (IndexOutOfBoundsException
        | ArithmeticException
        | IllegalArgumentException
        | NullPointerException e) {
      // a flatbuffer that points outside of itself or leaves out what it must have, a buffer
      // outside of its body
      throw BatchStreamException.malformed("the stream is damaged: " + e.getMessage(), e);
    } finally {
      broken = !done;
    }
  }

  private Incoming begin() throws IOException {
    if (incoming.isEmpty()) {
      Message message =
          message()
              .orElseThrow(
                  () -> BatchStreamException.of(Reason.MALFORMED, "the stream has no schema"));
      Schema schema = SchemaReader.read(message, limits);
      incoming = Optional.of(new Incoming(schema, new BatchDecoder(schema, memory, limits)));
    }
    return incoming.orElseThrow();
  }

  private Optional<ReceivedBatch> advance() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    BatchDecoder decoder = begin().decoder();
    Optional<Message> next = message();
    if (next.isEmpty()) {
      ended = true;
      return Optional.empty();
    }
    Message message = next.orElseThrow();
    failure(message);
    if (message.headerType() != MessageHeader.RecordBatch
        || !(message.header(new RecordBatch()) instanceof RecordBatch header)) {
      throw BatchStreamException.of(
          Reason.UNSUPPORTED, "a message of type " + message.headerType() + " in the stream");
    }
    return Optional.of(decoder.decode(header, body(message.bodyLength())));
  }

  static void failure(Message message) throws IOException {
    int entries = message.customMetadataLength();
    for (int i = 0; i < entries; i++) {
      if (Messages.ERROR_KEY.equals(message.customMetadata(i).key())) {
        throw BatchStreamException.failed(StreamErrorJson.read(message.customMetadata(i).value()));
      }
    }
  }

  /** The next message's metadata; nothing at the end of the stream. */
  private Optional<Message> message() throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    fill(prefix);
    prefix.flip();
    if (prefix.getInt() != Messages.CONTINUATION) {
      throw BatchStreamException.of(Reason.MALFORMED, "no message where one should begin");
    }
    int length = prefix.getInt();
    if (length == 0) {
      return Optional.empty();
    }
    if (length < 0 || length > limits.metadata()) {
      throw BatchStreamException.of(
          Reason.TOO_LARGE,
          "a message with %d bytes of metadata: at most %d are read"
              .formatted(length, limits.metadata()));
    }
    ByteBuffer metadata = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    fill(metadata);
    return Optional.of(Message.getRootAsMessage(metadata.flip()));
  }

  private Block body(long length) throws IOException {
    if (length < 0 || length > limits.body()) {
      throw BatchStreamException.of(
          Reason.TOO_LARGE,
          "a batch of %d bytes: at most %d are read; ask for smaller batches"
              .formatted(length, limits.body()));
    }
    Block block = memory.allocate(length);
    boolean full = false;
    try {
      for (long at = 0; at < length; at += SLICE) {
        fill(block.segment().asSlice(at, Math.min(SLICE, length - at)).asByteBuffer());
      }
      full = true;
    } finally {
      if (!full) {
        block.close();
      }
    }
    return block;
  }

  private void fill(ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (channel.read(target) < 0) {
        throw BatchStreamException.of(
            Reason.TRUNCATED,
            "the stream stops before its end: %d bytes are missing in this place at least"
                .formatted(target.remaining()));
      }
    }
  }
}
