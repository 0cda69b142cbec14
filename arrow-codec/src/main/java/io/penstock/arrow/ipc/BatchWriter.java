package io.penstock.arrow.ipc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes one Arrow IPC stream, frame by frame: {@link #begin}, {@link #write} as often as there are
 * batches, then either {@link #end} or {@link #fail}. Each returns the sink's word for when it
 * wants the next frame. Payload is passed on as it lies, unless compression was asked for. A stream
 * that fails is left off in the middle of a message, so that no reader of Arrow takes it for
 * complete, and the metadata of that message names the reason (docs/batch-protocol.md).
 *
 * <p>Threading: one call at a time; which thread does not matter.
 *
 * <p>Ownership: takes over every part of the columns given to {@link #write}, also if that throws.
 */
public final class BatchWriter {
  private enum State {
    NEW,
    OPEN,
    OVER
  }

  private final Schema schema;
  private final FieldShape shape;
  private final FrameSink sink;
  private final BodyCompressor compressor;
  private State state = State.NEW;

  /** A stream of {@code schema} into {@code sink}. */
  public BatchWriter(Schema schema, FrameSink sink, BodyCompressor compressor) {
    this.schema = schema;
    this.shape = FieldShape.of(schema);
    this.sink = sink;
    this.compressor = compressor;
  }

  /** Sends the schema. */
  public CompletionStage<Void> begin() {
    move(State.NEW, State.OPEN);
    return send(Frame.Kind.SCHEMA, Messages.schema(schema));
  }

  /**
   * Sends a batch.
   *
   * @param columns one for each field of the schema, in its order, {@code rows} values each
   * @throws IllegalArgumentException if the columns are not those of the schema
   */
  public CompletionStage<Void> write(int rows, List<ColumnBody> columns) {
    // outside of assemble()'s recovery: a sink that throws has taken the parts
    return sink.frame(assemble(rows, columns));
  }

  private Frame assemble(int rows, List<ColumnBody> columns) {
    List<BodyBuffer> taken = columns.stream().flatMap(c -> c.buffers().stream()).toList();
    FrameAssembly assembly = new FrameAssembly();
    int packed = 0;
    try {
      move(State.OPEN, State.OPEN);
      shape.check(rows, columns);
      List<Messages.Extent> extents = new ArrayList<>(taken.size());
      for (BodyBuffer buffer : taken) {
        packed++;
        BodyBuffer body = compressor.compress(buffer);
        extents.add(new Messages.Extent(assembly.bytes(), body.bytes()));
        assembly.add(body);
      }
      List<ColumnBody.Node> nodes = columns.stream().flatMap(c -> c.nodes().stream()).toList();
      byte[] message =
          Messages.batch(rows, nodes, extents, compressor.compression(), assembly.bytes());
      return assembly.frame(message);
    } catch (RuntimeException e) {
      assembly.release();
      taken.subList(packed, taken.size()).forEach(BodyBuffer::release);
      throw e;
    }
  }

  /** Ends a complete stream. */
  public CompletionStage<Void> end() {
    move(State.OPEN, State.OVER);
    return send(Frame.Kind.END, Messages.end());
  }

  /** Ends a stream that is not complete; the connection ends after this frame. */
  public CompletionStage<Void> fail(StreamError error) {
    move(State.OPEN, State.OVER);
    return send(Frame.Kind.FAILURE, Messages.failure(error));
  }

  private CompletionStage<Void> send(Frame.Kind kind, byte[] message) {
    return sink.frame(new Frame(kind, List.of(new HeapPart(message))));
  }

  private void move(State from, State to) {
    if (state != from) {
      throw new IllegalStateException(
          switch (state) {
            case NEW -> "the stream has not begun: call begin() first";
            case OPEN -> "the stream has begun already";
            case OVER -> "the stream has ended";
          });
    }
    state = to;
  }
}
