package io.penstock.gateway.sigv4;

import io.netty.buffer.ByteBuf;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * The chain of signatures through a chunked body: each covers the one before, the first covers the
 * signature of the head.
 *
 * <p>Threading: not thread safe.
 */
final class ChunkSignatures {
  private final PayloadClaim.ChunkSigning signing;
  private final MessageDigest content = Sha256.digest();
  private String previous;

  ChunkSignatures(PayloadClaim.ChunkSigning signing) {
    this.signing = signing;
    this.previous = signing.seedSignature();
  }

  /** More bytes of the current chunk. */
  void update(ByteBuf bytes) {
    for (ByteBuffer part : bytes.nioBuffers()) {
      content.update(part);
    }
  }

  /** Ends the current chunk. */
  void endChunk(String signature) {
    String expected = SignatureCalculator.ofChunk(signing, previous, content.digest());
    if (!SigV4Verifier.equal(expected, signature)) {
      throw new S3Exception(
          S3Error.SIGNATURE_DOES_NOT_MATCH,
          "The signature of a chunk does not match: the body was changed on its way, or signed with"
              + " another key.");
    }
    previous = signature;
  }

  /** Checks the signature of the trailer, whose lines may have been signed as sent or sorted. */
  void endTrailer(List<String> lines, String signature) {
    String asSent = String.join("", lines);
    String sorted = String.join("", lines.stream().sorted().toList());
    if (!isTrailerSignature(asSent, signature) && !isTrailerSignature(sorted, signature)) {
      throw new S3Exception(
          S3Error.SIGNATURE_DOES_NOT_MATCH,
          "The signature of the trailer (x-amz-trailer-signature) does not match.");
    }
  }

  private boolean isTrailerSignature(String lines, String signature) {
    byte[] hash = Sha256.of(new ByteArray(lines.length()).add(lines));
    return SigV4Verifier.equal(SignatureCalculator.ofTrailer(signing, previous, hash), signature);
  }
}
