package io.penstock.loadtest.sign;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.plan.Scenario.Payload;
import io.penstock.loadtest.wire.Ascii;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The body of a PUT as it goes over the wire, ready before the run: content slices and, when
 * aws-chunked, the chunk heads between them. The hashes of the content are taken once per object,
 * so that signing it for another key costs only the signatures.
 *
 * <p>Threading: immutable but for the buffers, which every sender duplicates. Ownership: all parts
 * are unreleasable.
 */
public final class SignedBody {
  /** Data bytes per chunk, as today's SDKs cut them. */
  public static final int CHUNK = 128 << 10;

  private static final String TRAILER = "x-amz-checksum-crc32";

  private final Payload payload;
  private final List<ByteBuf> pieces;
  private final long size;
  private final List<String> chunkHashes = new ArrayList<>();
  private final String wholeHash;
  private final String checksum;

  /** What is sent: the parts one after the other, {@code length} bytes in all. */
  public record Body(List<ByteBuf> parts, long length) {
    public static final Body NONE = new Body(List.of(), 0);
  }

  /** Object {@code n} of {@code size} bytes as the body of uploads signed like {@code payload}. */
  public SignedBody(Payload payload, long size, int n) {
    this.payload = payload;
    this.size = size;
    this.pieces = chunked() ? chunks(size, n) : Content.slices(n, 0, size);
    var crc = new CRC32();
    MessageDigest whole = Digests.sha256();
    for (ByteBuf piece : pieces) {
      ByteBuffer bytes = piece.nioBuffer();
      switch (payload) {
        case UNSIGNED -> {}
        case SIGNED -> whole.update(bytes);
        case CHUNKS_SIGNED, CHUNKS_TRAILER, UNSIGNED_TRAILER -> {
          crc.update(bytes.duplicate());
          MessageDigest one = Digests.sha256();
          one.update(bytes);
          chunkHashes.add(Digests.hex(one.digest()));
        }
      }
    }
    this.wholeHash = Digests.hex(whole.digest());
    this.checksum =
        Base64.getEncoder()
            .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  private static List<ByteBuf> chunks(long size, int n) {
    List<ByteBuf> chunks = new ArrayList<>();
    for (long at = 0; at < size; at += CHUNK) {
      List<ByteBuf> pieces = Content.slices(n, at, Math.min(CHUNK, size - at));
      chunks.add(
          Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(pieces.toArray(ByteBuf[]::new))));
    }
    return chunks;
  }

  private boolean chunked() {
    return payload != Payload.UNSIGNED && payload != Payload.SIGNED;
  }

  /** The value of x-amz-content-sha256. */
  public String payloadHash() {
    return switch (payload) {
      case UNSIGNED -> RequestSigner.UNSIGNED_PAYLOAD;
      case SIGNED -> wholeHash;
      case CHUNKS_SIGNED -> "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
      case CHUNKS_TRAILER -> "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
      case UNSIGNED_TRAILER -> "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
    };
  }

  /** The headers that describe the framing, to be signed with the others. */
  public Map<String, String> headers() {
    if (!chunked()) {
      return Map.of();
    }
    String decoded = Long.toString(size);
    return payload == Payload.CHUNKS_SIGNED
        ? Map.of("content-encoding", "aws-chunked", "x-amz-decoded-content-length", decoded)
        : Map.of(
            "content-encoding", "aws-chunked",
            "x-amz-decoded-content-length", decoded,
            "x-amz-trailer", TRAILER);
  }

  /** The bytes to send, with every signature in place. */
  public Body framed(ChunkSigner signer) {
    return chunked() ? chunkedBody(signer) : new Body(pieces, size);
  }

  private Body chunkedBody(ChunkSigner signer) {
    List<ByteBuf> parts = new ArrayList<>();
    var text = new StringBuilder();
    for (int i = 0; i < pieces.size(); i++) {
      ByteBuf piece = pieces.get(i);
      text.append(head(piece.readableBytes(), signer, chunkHashes.get(i)));
      parts.add(Ascii.constant(text));
      parts.add(piece);
      text.setLength(0);
      text.append("\r\n");
    }
    text.append(head(0, signer, RequestSigner.EMPTY_PAYLOAD));
    if (payload != Payload.CHUNKS_SIGNED) {
      text.append(TRAILER).append(':').append(checksum).append("\r\n");
    }
    if (payload == Payload.CHUNKS_TRAILER) {
      String signature = signer.trailer(TRAILER + ":" + checksum + "\n");
      text.append("x-amz-trailer-signature:").append(signature).append("\r\n");
    }
    parts.add(Ascii.constant(text.append("\r\n")));
    return new Body(parts, parts.stream().mapToLong(ByteBuf::readableBytes).sum());
  }

  private String head(int length, ChunkSigner signer, String hash) {
    String size = Integer.toHexString(length);
    return payload == Payload.UNSIGNED_TRAILER
        ? size + "\r\n"
        : size + ";chunk-signature=" + signer.next(hash) + "\r\n";
  }
}
