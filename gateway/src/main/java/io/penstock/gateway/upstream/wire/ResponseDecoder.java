package io.penstock.gateway.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.upstream.wire.ResponseHeads.Framing;
import java.util.Arrays;

/**
 * Cuts what the store sends into head, body buffers and end, for one response after the other. Body
 * bytes are never copied: a buffer that holds nothing but body passes through as it is. Interim
 * (1xx) responses are swallowed. Nothing may follow an end before the next {@link #expect}.
 *
 * <p>Threading: confined to one event loop; callbacks may call back into whatever owns this, also
 * {@link #expect} from within {@link Events#end}.
 *
 * <p>Ownership: {@link #feed} takes the buffer over, {@link Events#data} hands buffers on.
 */
final class ResponseDecoder {
  private static final int HEAD_LIMIT = 64 * 1024;
  private static final int HEAD_STEP = 2048;

  /** What was found. */
  interface Events {
    /**
     * A final (not 1xx) head.
     *
     * @param bodyLength exact bytes that will follow, or -1 if only the end tells
     */
    void head(ResponseHead head, long bodyLength);

    void data(ByteBuf buffer);

    /** The response is complete; {@code keepAlive} if the connection can carry another one. */
    void end(boolean keepAlive);
  }

  private static final Events NOBODY =
      new Events() {
        @Override
        public void head(ResponseHead head, long bodyLength) {}

        @Override
        public void data(ByteBuf buffer) {
          buffer.release();
        }

        @Override
        public void end(boolean keepAlive) {}
      };

  private enum State {
    IDLE,
    HEAD,
    FIXED,
    CHUNKED,
    UNTIL_CLOSE
  }

  private final ChunkFraming chunks = new ChunkFraming();
  private byte[] head = new byte[HEAD_STEP];
  private int headLength;
  private Events events = NOBODY;
  private State state = State.IDLE;
  private boolean bodiless;
  private boolean keepAlive;
  private long remaining;
  private boolean handedOn;

  /** The next bytes are the response to a request with this method; {@code to} hears of it. */
  void expect(String method, Events to) {
    events = to;
    state = State.HEAD;
    headLength = 0;
    bodiless = method.equals("HEAD");
  }

  /** Whether some of the expected response has arrived. */
  boolean begun() {
    return state != State.HEAD || headLength > 0;
  }

  /** Bytes known to be missing from the current body, or -1. */
  long remaining() {
    return state == State.FIXED ? remaining : -1;
  }

  void feed(ByteBuf in) throws BadResponse {
    if (state == State.IDLE && in.isReadable()) {
      in.release();
      throw new BadResponse("bytes that no request asked for");
    }
    handedOn = false;
    try {
      while (!handedOn && in.isReadable()) {
        switch (state) {
          // follows an end, which has said that the connection is spoilt
          case IDLE -> in.skipBytes(in.readableBytes());
          case HEAD -> readHead(in);
          case FIXED -> passFixed(in);
          case CHUNKED -> passChunk(in);
          case UNTIL_CLOSE -> handOn(in);
        }
      }
    } finally {
      if (!handedOn) {
        in.release();
      }
    }
  }

  /** The store has closed its side in an orderly way. */
  void inputClosed() throws BadResponse {
    switch (state) {
      case IDLE -> {}
      case HEAD ->
          throw new BadResponse(
              "the connection ended " + (headLength > 0 ? "within" : "before") + " the head");
      case FIXED -> throw new BadResponse("the body ended " + remaining + " bytes early");
      case CHUNKED -> throw new BadResponse("the body ended before its last chunk");
      case UNTIL_CLOSE -> finish(false);
    }
  }

  private void readHead(ByteBuf in) throws BadResponse {
    int before = headLength;
    int step = Math.min(in.readableBytes(), HEAD_STEP);
    if (before + step > head.length) {
      head = Arrays.copyOf(head, Math.max(head.length * 2, before + step));
    }
    in.getBytes(in.readerIndex(), head, before, step);
    int end = endOfHead(before, before + step);
    if (end < 0) {
      in.skipBytes(step);
      headLength = before + step;
      if (headLength > HEAD_LIMIT) {
        throw new BadResponse("the head is longer than " + HEAD_LIMIT + " bytes");
      }
      return;
    }
    in.skipBytes(end - before);
    headLength = end;
    ResponseHeads.Parsed parsed = ResponseHeads.parse(head, end);
    headLength = 0;
    if (head.length > 2 * HEAD_STEP) {
      head = new byte[HEAD_STEP];
    }
    begin(parsed, in.isReadable());
  }

  /** Where the empty line ends, or -1. */
  private int endOfHead(int from, int to) {
    for (int i = Math.max(3, from); i < to; i++) {
      if (head[i] == '\n' && head[i - 1] == '\r' && head[i - 2] == '\n' && head[i - 3] == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  private void begin(ResponseHeads.Parsed parsed, boolean moreBytes) throws BadResponse {
    int status = parsed.head().status();
    if (status == 101) {
      throw new BadResponse("status 101 without having asked for it");
    }
    if (status < 200) {
      return;
    }
    keepAlive = parsed.keepAlive();
    if (bodiless || status == 204 || status == 304) {
      events.head(parsed.head(), 0);
      finish(!moreBytes);
      return;
    }
    switch (parsed.framing()) {
      case Framing.Length(long bytes) -> {
        state = State.FIXED;
        remaining = bytes;
        events.head(parsed.head(), bytes);
        if (bytes == 0) {
          finish(!moreBytes);
        }
      }
      case Framing.Chunked _ -> {
        state = State.CHUNKED;
        chunks.reset();
        events.head(parsed.head(), -1);
      }
      case Framing.UntilClose _ -> {
        state = State.UNTIL_CLOSE;
        keepAlive = false;
        events.head(parsed.head(), -1);
      }
    }
  }

  /** Whether the whole buffer went on. */
  private void passFixed(ByteBuf in) {
    int readable = in.readableBytes();
    if (readable > remaining) {
      ByteBuf last = in.readRetainedSlice((int) remaining);
      remaining = 0;
      events.data(last);
      finish(false);
      return;
    }
    remaining -= readable;
    handOn(in);
    if (remaining == 0) {
      finish(true);
    }
  }

  /** The whole buffer belongs to the receiver from here on, also if it throws. */
  private void handOn(ByteBuf in) {
    handedOn = true;
    events.data(in);
  }

  private void passChunk(ByteBuf in) throws BadResponse {
    if (chunks.inData()) {
      int take = chunks.take(in.readableBytes());
      if (take == in.readableBytes()) {
        handOn(in);
        return;
      }
      events.data(in.readRetainedSlice(take));
    } else if (chunks.readFraming(in)) {
      finish(!in.isReadable());
    }
  }

  private void finish(boolean nothingFollows) {
    state = State.IDLE;
    Events to = events;
    events = NOBODY;
    to.end(keepAlive && nothingFollows);
  }
}
