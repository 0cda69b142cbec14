package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the framing off an {@code aws-chunked} body (S3 API reference, "Transferring payload in
 * multiple chunks"), fed with buffers cut anywhere. The signature of a chunk is checked when the
 * chunk is over, so bytes come out before that; only {@link #end} says that all of them are good.
 * No size that a client names is ever allocated.
 *
 * <p>Threading: not thread safe.
 *
 * <p>Ownership: {@link #decode} takes its buffer over and gives out retained slices of it.
 */
final class ChunkedPayload {
  private static final int MAX_HEADER = 1024;

  private final @Nullable ChunkSignatures signatures;
  private final boolean signedTrailer;
  private final boolean trailerAllowed;
  private final TrailerSection trailer = new TrailerSection();
  private final StringBuilder line = new StringBuilder(96);
  private long announced;
  private ChunkHeader chunk = new ChunkHeader(0, "");
  private long left;
  private State state = State.HEADER;

  private enum State {
    /** Within the line before a chunk. */
    HEADER,
    /** Within the bytes of a chunk. */
    DATA,
    /** Before the CR that ends a chunk. */
    CR,
    /** Before the LF that ends a chunk. */
    LF,
    /** Behind the last chunk. */
    TRAILER
  }

  private ChunkedPayload(
      @Nullable ChunkSignatures signatures,
      boolean signedTrailer,
      boolean trailerAllowed,
      long decodedLength) {
    this.signatures = signatures;
    this.signedTrailer = signedTrailer;
    this.trailerAllowed = trailerAllowed;
    this.announced = decodedLength;
  }

  /** Chunks that each carry a signature; more than {@code decodedLength} bytes are refused. */
  static ChunkedPayload signed(PayloadClaim.SignedChunks claim, long decodedLength) {
    return new ChunkedPayload(
        new ChunkSignatures(claim.signing()), claim.trailer(), claim.trailer(), decodedLength);
  }

  /** Chunks without signatures; more than {@code decodedLength} bytes are refused. */
  static ChunkedPayload unsigned(long decodedLength) {
    return new ChunkedPayload(null, false, true, decodedLength);
  }

  /**
   * Takes in {@code in} and passes its content on.
   *
   * @throws S3Exception if the framing or a signature is wrong; nothing may be fed after that
   */
  void decode(ByteBuf in, Consumer<ByteBuf> out) {
    try {
      while (in.isReadable()) {
        switch (state) {
          case HEADER -> header(in.readByte());
          case DATA -> data(in, out);
          case CR -> expect(in.readByte(), '\r', State.LF);
          case LF -> expect(in.readByte(), '\n', State.HEADER);
          case TRAILER -> trailer(in.readByte());
        }
      }
    } finally {
      in.release();
    }
  }

  /**
   * Says that nothing more comes.
   *
   * @throws S3Exception if the body is not complete
   */
  void end() {
    if (!trailer.isComplete()) {
      throw new S3Exception(
          S3Error.INCOMPLETE_BODY,
          "The body ended before its last chunk (of size 0) and the empty line behind it: it was cut"
              + " short.");
    }
    if (announced > 0) {
      throw new S3Exception(
          S3Error.INCOMPLETE_BODY,
          "The chunks hold " + announced + " bytes fewer than x-amz-decoded-content-length says.");
    }
    if (signedTrailer && signatures != null) {
      trailer.verify(signatures);
    } else {
      trailer.requireUnsigned();
    }
  }

  /** The fields behind the last chunk, names in lower case, without their signature. */
  HttpFields trailers() {
    return trailer.fields();
  }

  private void header(byte b) {
    if (b != '\n') {
      if (line.length() == MAX_HEADER) {
        throw framing("a chunk header is longer than " + MAX_HEADER + " bytes");
      }
      line.append((char) (b & 0xFF));
      return;
    }
    int length = line.length() - 1;
    if (length < 0 || line.charAt(length) != '\r') {
      throw framing("a chunk header must end in CRLF");
    }
    chunk = ChunkHeader.parse(line.substring(0, length), signatures != null);
    line.setLength(0);
    if (chunk.size() > announced) {
      throw new S3Exception(
          S3Error.INVALID_CHUNK_SIZE_ERROR,
          "The chunks hold more bytes than x-amz-decoded-content-length says.");
    }
    announced -= chunk.size();
    left = chunk.size();
    if (left > 0) {
      state = State.DATA;
    } else {
      endChunk();
      state = State.TRAILER;
    }
  }

  private void data(ByteBuf in, Consumer<ByteBuf> out) {
    ByteBuf content = in.readRetainedSlice((int) Math.min(left, in.readableBytes()));
    left -= content.readableBytes();
    if (signatures != null) {
      signatures.update(content);
    }
    out.accept(content);
    if (left == 0) {
      endChunk();
      state = State.CR;
    }
  }

  private void endChunk() {
    if (signatures != null) {
      signatures.endChunk(chunk.signature());
    }
  }

  private void expect(byte actual, char expected, State next) {
    if (actual != expected) {
      throw framing("the bytes of a chunk must be followed by CRLF");
    }
    state = next;
  }

  private void trailer(byte b) {
    if (trailer.isComplete()) {
      throw framing("bytes follow its end");
    }
    trailer.add(b);
    if (!trailerAllowed && trailer.hasFields()) {
      throw framing("it has a trailer that x-amz-content-sha256 does not announce");
    }
  }

  private static S3Exception framing(String what) {
    return new S3Exception(
        S3Error.INVALID_REQUEST, "The aws-chunked body is malformed: " + what + ".");
  }
}
