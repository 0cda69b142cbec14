package io.penstock.gateway.sigv4;

/**
 * Computes signatures: of a request, of one chunk, of a trailer.
 *
 * <p>Threading: safe; scratch space is per thread.
 */
final class SignatureCalculator {
  private static final ThreadLocal<ByteArray> SCRATCH =
      ThreadLocal.withInitial(() -> new ByteArray(2048));

  private SignatureCalculator() {}

  /** The signature of {@code request} read as {@code form}, in lower-case hex. */
  static String ofRequest(
      CanonicalRequest request,
      CanonicalRequest.Form form,
      SigningTime time,
      CredentialScope scope,
      SigningKey key) {
    ByteArray scratch = SCRATCH.get().clear();
    request.writeTo(scratch, form);
    byte[] hash = Sha256.of(scratch);
    scratch.clear().add(SignatureReader.ALGORITHM).add('\n').add(time.text()).add('\n');
    scratch.add(scope.text()).add('\n').addHex(hash);
    return key.sign(scratch);
  }

  /** The hash that the signature of {@code request} covers, to help find what differs. */
  static String hashOf(CanonicalRequest request) {
    ByteArray scratch = SCRATCH.get().clear();
    request.writeTo(scratch, CanonicalRequest.Form.WIRE);
    return Sha256.hex(Sha256.of(scratch));
  }

  /** The signature of a chunk whose content hashes to {@code hash}. */
  static String ofChunk(PayloadClaim.ChunkSigning signing, String previous, byte[] hash) {
    ByteArray text = start("AWS4-HMAC-SHA256-PAYLOAD", signing, previous);
    text.add(Sha256.EMPTY_HEX).add('\n').addHex(hash);
    return signing.key().sign(text);
  }

  /** The signature of a trailer whose canonical lines hash to {@code hash}. */
  static String ofTrailer(PayloadClaim.ChunkSigning signing, String previous, byte[] hash) {
    ByteArray text = start("AWS4-HMAC-SHA256-TRAILER", signing, previous);
    text.addHex(hash);
    return signing.key().sign(text);
  }

  private static ByteArray start(
      String algorithm, PayloadClaim.ChunkSigning signing, String previous) {
    ByteArray text = SCRATCH.get().clear();
    text.add(algorithm).add('\n').add(SigningTime.of(signing.timestamp()).text()).add('\n');
    return text.add(signing.scope()).add('\n').add(previous).add('\n');
  }
}
