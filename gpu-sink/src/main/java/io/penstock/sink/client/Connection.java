package io.penstock.sink.client;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchRequestWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;
import java.util.Optional;

/**
 * One request that is under way, and the stream that answers it.
 *
 * <p>Threading: one thread.
 *
 * <p>Ownership: of nothing; the wire is closed by who dialled it.
 */
final class Connection {
  private static final String STREAM = "application/vnd.apache.arrow.stream";

  private final BatchReader reader;

  private Connection(BatchReader reader) {
    this.reader = reader;
  }

  /** Sends the request over {@code wire} and reads the head of the answer. */
  static Connection over(
      Wire wire,
      RequestSigner signer,
      BatchRequest request,
      ClientOptions options,
      BlockSource memory,
      StreamTap tap)
      throws IOException {
    byte[] body = BatchRequestWriter.json(request);
    String path = request.epoch().isPresent() ? "/-/epochs" : "/-/batch";
    HttpInput input = new HttpInput(wire);
    Optional<IOException> unsent = send(wire, signer.head(path, body), body);
    ResponseHead head;
    try {
      head = input.head();
    } catch (IOException e) {
      // a gateway that refuses early answers and closes; if there is no answer, sending failed
      throw unsent.orElse(e);
    }
    boolean stream =
        head.field("content-type").orElse("").toLowerCase(Locale.ROOT).startsWith(STREAM);
    if (head.status() != 200 || !stream) {
      throw Refusal.of(head, input);
    }
    return new Connection(new BatchReader(new TappedChannel(input, tap), memory, options.limits()));
  }

  private static Optional<IOException> send(Wire wire, byte[] head, byte[] body) {
    try {
      ByteBuffer bytes = ByteBuffer.allocateDirect(head.length + body.length);
      wire.write(bytes.put(head).put(body).flip());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  BatchReader reader() {
    return reader;
  }

  /** Shows what was read to the tap. */
  private record TappedChannel(HttpInput input, StreamTap tap) implements ReadableByteChannel {
    @Override
    public int read(ByteBuffer target) throws IOException {
      int before = target.position();
      int read = input.read(target);
      if (read > 0) {
        tap.received(target.slice(before, read).asReadOnlyBuffer());
      }
      return read;
    }

    @Override
    public boolean isOpen() {
      return input.isOpen();
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
