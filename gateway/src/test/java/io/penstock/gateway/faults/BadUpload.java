package io.penstock.gateway.faults;

import io.penstock.config.Secret;
import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.sigv4.SigV4Signer;
import io.penstock.gateway.testing.Stack;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.spi.ChecksumAlgorithm;

/**
 * An upload that must not be stored.
 *
 * @param code the S3 error code that the client is told; empty where the client leaves instead
 * @param request the upload to a gateway and target
 */
record BadUpload(String name, String code, BiFunction<URI, String, RawRequest> request) {
  /** Several reads and several chunks long. */
  static final byte[] BODY = Lab.bytes(400_000);

  private static final String MD5_OF_HELLO = "XUFAKrxLKna5cZ2REBfFkg==";
  private static final String CRC_OF_HELLO = "x-amz-checksum-crc32:NhCmhg==\r\n\r\n";
  private static final ChecksumAlgorithm CRC32 = DefaultChecksumAlgorithm.CRC32;

  RawRequest to(URI gateway, String target) {
    return request.apply(gateway, target);
  }

  boolean isCut() {
    return code.isEmpty();
  }

  @Override
  public String toString() {
    return name;
  }

  static List<BadUpload> all() {
    return java.util.stream.Stream.of(cut(), framing(), changed(), promised())
        .flatMap(List::stream)
        .toList();
  }

  /** The client stops within its body and closes. */
  private static List<BadUpload> cut() {
    return List.of(
        new BadUpload("plain, one byte short", "", (g, t) -> cut(put(g, t).body(BODY), 1)),
        new BadUpload(
            "unsigned, cut", "", (g, t) -> cut(put(g, t).body(BODY).unsignedPayload(), 100_000)),
        new BadUpload(
            "signed chunks, cut", "", (g, t) -> cut(put(g, t).body(BODY).signedChunks(), 50_000)),
        new BadUpload(
            "trailer, cut within the last chunk",
            "",
            (g, t) -> cut(put(g, t).body(BODY).unsignedPayload().trailer(CRC32), 20)));
  }

  /** The frames of aws-chunked are not what they should be, or not what was announced. */
  private static List<BadUpload> framing() {
    return List.of(
        frames("last chunk missing", "IncompleteBody", 5, "5\r\nhello\r\n"),
        frames("empty line missing", "IncompleteBody", 5, "5\r\nhello\r\n0\r\n"),
        frames("fewer than announced", "IncompleteBody", 6, "5\r\nhello\r\n0\r\n" + CRC_OF_HELLO),
        frames(
            "more than announced",
            "InvalidChunkSizeError",
            4,
            "5\r\nhello\r\n0\r\n" + CRC_OF_HELLO),
        frames("monstrous", "InvalidChunkSizeError", 5, "7fffffffffffffff\r\nhello\r\n0\r\n\r\n"),
        frames(
            "overflowing", "InvalidChunkSizeError", 5, "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        frames("no number", "InvalidChunkSizeError", 5, "five\r\nhello\r\n0\r\n" + CRC_OF_HELLO),
        frames("no trailer", "MalformedTrailerError", 5, "5\r\nhello\r\n0\r\n\r\n"),
        frames("nothing, but announced", "IncompleteBody", 5, "0\r\n" + CRC_OF_HELLO),
        frames(
            "bytes after the end",
            "InvalidRequest",
            5,
            "5\r\nhello\r\n0\r\n" + CRC_OF_HELLO + "x"));
  }

  /** One bit was changed on the way. */
  private static List<BadUpload> changed() {
    return List.of(
        new BadUpload(
            "changed under its trailer",
            "BadDigest",
            (g, t) -> flip(put(g, t).body(BODY).unsignedPayload().trailer(CRC32), 200_000)),
        new BadUpload(
            "changed in the first signed chunk",
            "SignatureDoesNotMatch",
            (g, t) -> flip(put(g, t).body(BODY).signedChunks(), 1_000)),
        new BadUpload(
            "changed in the last signed chunk",
            "SignatureDoesNotMatch",
            (g, t) -> flip(put(g, t).body(BODY).signedChunks(), -1_000)),
        new BadUpload(
            "signature of the end changed",
            "SignatureDoesNotMatch",
            (g, t) -> flip(put(g, t).body(BODY).signedChunks(), -10)),
        new BadUpload(
            "signature of the trailer changed",
            "SignatureDoesNotMatch",
            (g, t) -> flip(put(g, t).body(BODY).signedChunks().trailer(CRC32), -10)),
        new BadUpload(
            "other SHA-256",
            "XAmzContentSHA256Mismatch",
            (g, t) -> flip(put(g, t).body(BODY), BODY.length - 1)),
        new BadUpload(
            "other SHA-256 of one byte",
            "XAmzContentSHA256Mismatch",
            (g, t) -> flip(put(g, t).body(new byte[1]), 0)));
  }

  /** A field promises something else. */
  private static List<BadUpload> promised() {
    return List.of(
        promise("BadDigest", "Content-MD5", MD5_OF_HELLO),
        promise("InvalidDigest", "Content-MD5", "hello"),
        promise("BadDigest", "x-amz-checksum-crc32", "AAAAAA=="),
        promise("BadDigest", "x-amz-checksum-crc32c", "AAAAAA=="),
        promise("BadDigest", "x-amz-checksum-crc64nvme", "AAAAAAAAAAA="),
        promise("BadDigest", "x-amz-checksum-sha1", "qvTGHdzF6KLavt4PO0gs2a6pQ00="),
        promise("InvalidRequest", "x-amz-checksum-sha256", "hello"),
        new BadUpload(
            "other MD5 of nothing",
            "BadDigest",
            (g, t) -> put(g, t).field("Content-MD5", MD5_OF_HELLO).sign()));
  }

  private static BadUpload promise(String code, String field, String value) {
    return new BadUpload(
        field + " " + value, code, (g, t) -> put(g, t).field(field, value).body(BODY).sign());
  }

  private static BadUpload frames(String name, String code, int announced, String frames) {
    return new BadUpload(
        "frames: " + name, code, (gateway, target) -> framed(gateway, target, announced, frames));
  }

  private static SignedCall put(URI gateway, String target) {
    return new SignedCall(gateway, "PUT", target);
  }

  private static RawRequest cut(SignedCall put, int missing) {
    RawRequest whole = put.sign();
    return whole.body(Arrays.copyOf(whole.body(), whole.body().length - missing));
  }

  /** Changes a bit; counted from the end if {@code index} is negative. */
  private static RawRequest flip(SignedCall put, int index) {
    RawRequest good = put.sign();
    byte[] bad = good.body().clone();
    bad[index < 0 ? bad.length + index : index] ^= 1;
    return good.body(bad);
  }

  /** A head that no signer would make for these frames, truly signed. */
  static RawRequest framed(URI gateway, String target, int announced, String frames) {
    HttpFields fields =
        HttpFields.of(
            "content-encoding",
            "aws-chunked",
            "x-amz-decoded-content-length",
            Integer.toString(announced),
            "x-amz-trailer",
            "x-amz-checksum-crc32",
            "content-length",
            Integer.toString(frames.length()));
    Credential demo =
        new Credential(Stack.ACCESS_KEY, new Secret(Stack.SECRET_KEY), Optional.empty());
    HttpFields signed =
        new SigV4Signer(() -> demo, "us-east-1", InstantSource.system())
            .sign(
                "PUT",
                gateway.getAuthority(),
                target,
                "",
                fields,
                "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    StringBuilder head = new StringBuilder("PUT " + target + " HTTP/1.1\r\n");
    for (int i = 0; i < signed.size(); i++) {
      head.append(signed.name(i) + ": " + signed.value(i) + "\r\n");
    }
    return new RawRequest("PUT", head.toString(), frames.getBytes(StandardCharsets.ISO_8859_1));
  }
}
