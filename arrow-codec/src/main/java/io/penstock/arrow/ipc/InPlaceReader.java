package io.penstock.arrow.ipc;

import io.penstock.arrow.ipc.BatchStreamException.Reason;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads encapsulated messages that lie whole in memory, each with its body: batches are views into
 * that memory, nothing is copied unless it was compressed. As strict as {@link BatchReader}.
 *
 * <p>Threading: any; it keeps nothing.
 *
 * <p>Ownership: the memory stays whose it is; a batch tells when it is closed.
 */
public final class InPlaceReader {
  private static final int PREFIX = 8;

  private final BlockSource expanded;
  private final ReadLimits limits;

  /**
   * A reader within limits.
   *
   * @param expanded where decompressed buffers lie
   */
  public InPlaceReader(BlockSource expanded, ReadLimits limits) {
    this.expanded = expanded;
    this.limits = limits;
  }

  private record Parsed(Message message, MemorySegment body) {}

  /**
   * The schema that a message is.
   *
   * @throws BatchStreamException if it is none
   */
  public Schema schema(MemorySegment message) throws BatchStreamException {
    return guarded(() -> SchemaReader.read(parse(message).message(), limits));
  }

  /**
   * The batch that a message is.
   *
   * @param released runs once, when the batch is closed; not if this throws
   * @throws BatchStreamException if it is none of that schema, or the word that the stream failed
   */
  public ReceivedBatch batch(Schema schema, MemorySegment message, Runnable released)
      throws BatchStreamException {
    return guarded(
        () -> {
          Parsed parsed = parse(message);
          BatchReader.failure(parsed.message());
          if (parsed.message().headerType() != MessageHeader.RecordBatch
              || !(parsed.message().header(new RecordBatch()) instanceof RecordBatch header)) {
            throw BatchStreamException.of(
                Reason.UNSUPPORTED, "a message of type " + parsed.message().headerType());
          }
          InPlace body = new InPlace(parsed.body(), released);
          ReceivedBatch batch = new BatchDecoder(schema, expanded, limits).decode(header, body);
          body.given = true;
          return batch;
        });
  }

  /**
   * Why a stream failed, as its last message says it.
   *
   * @throws BatchStreamException if it says nothing
   */
  public StreamError failure(MemorySegment message) throws BatchStreamException {
    return guarded(
        () -> {
          try {
            BatchReader.failure(parse(message).message());
          } catch (BatchStreamException e) {
            if (e.error().isPresent()) {
              return e.error().get();
            }
            throw e;
          }
          throw BatchStreamException.of(Reason.MALFORMED, "a failure without its reason");
        });
  }

  /** The same of a frame that is on its way; the frame stays its holder's. */
  public StreamError failure(Frame frame) throws BatchStreamException {
    return failure(MemorySegment.ofBuffer(frame.parts().getFirst().view()));
  }

  private Parsed parse(MemorySegment message) throws BatchStreamException {
    ByteBuffer prefix = message.asSlice(0, PREFIX).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int mark = prefix.getInt();
    int length = prefix.getInt();
    if (mark != Messages.CONTINUATION || length <= 0 || length > limits.metadata()) {
      throw BatchStreamException.of(Reason.MALFORMED, "no message where one should begin");
    }
    ByteBuffer metadata =
        message.asSlice(PREFIX, length).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    return new Parsed(Message.getRootAsMessage(metadata), message.asSlice(PREFIX + (long) length));
  }

  private interface Step<T> {
    T take() throws IOException;
  }

  private static <T> T guarded(Step<T> step) throws BatchStreamException {
    try {
      return step.take();
    } catch (BatchStreamException e) {
      throw e;
    } catch (IOException
        | IndexOutOfBoundsException
        | ArithmeticException
        | IllegalArgumentException
        | NullPointerException e) {
      // a flatbuffer that points outside of itself, a buffer outside of its body
      throw BatchStreamException.malformed("the message is damaged: " + e.getMessage(), e);
    }
  }

  /** A body that is somebody else's memory. */
  private static final class InPlace implements Block {
    private final MemorySegment segment;
    private final Runnable released;
    private boolean given;

    InPlace(MemorySegment segment, Runnable released) {
      this.segment = segment;
      this.released = released;
    }

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      if (given) {
        released.run();
      }
    }
  }
}
