package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class UriEncodingProperties {
  private final S3RequestParser parser =
      new S3RequestParser(List.of("s3.example.com"), StoreKind.OTHER);

  /** Any text of whole characters, with those that matter to URIs more often than chance. */
  @Provide
  static Arbitrary<String> texts() {
    Arbitrary<String> special =
        Arbitraries.of("/", "//", "..", ".", "+", " ", "%", "%2F", "?", "&", "=", "#", "\0", "é");
    Arbitrary<String> any =
        Arbitraries.integers()
            .between(0, Character.MAX_CODE_POINT)
            .filter(c -> c < 0xd800 || c > 0xdfff)
            .map(Character::toString);
    Arbitrary<String> plain = Arbitraries.strings().alpha().ofMaxLength(5);
    return Arbitraries.oneOf(special, any, plain).list().ofMaxSize(30).map(p -> String.join("", p));
  }

  @Provide
  static Arbitrary<String> keys() {
    return texts()
        .filter(key -> !key.isEmpty() && key.getBytes(StandardCharsets.UTF_8).length <= 1024);
  }

  @Property
  void decodingUndoesEncoding(@ForAll("texts") String text) {
    assertThat(UriEncoding.decodePath(UriEncoding.encodePath(text))).isEqualTo(text);
    assertThat(UriEncoding.decodePath(UriEncoding.encode(text))).isEqualTo(text);
    assertThat(UriEncoding.decodeQuery(UriEncoding.encode(text))).isEqualTo(text);
  }

  @Property
  void encodingIsAsciiAndStandardDecodersReadIt(@ForAll("texts") String text) {
    String encoded = UriEncoding.encode(text);
    assertThat(encoded).matches("([A-Za-z0-9._~-]|%[0-9A-F]{2})*");
    assertThat(URLDecoder.decode(encoded, StandardCharsets.UTF_8)).isEqualTo(text);
  }

  @Property
  void decodingNeverFailsInAnotherWay(@ForAll String raw) {
    try {
      String decoded = UriEncoding.decodePath(raw);
      assertThat(UriEncoding.decodePath(UriEncoding.encodePath(decoded))).isEqualTo(decoded);
    } catch (S3Exception e) {
      assertThat(e.error()).isEqualTo(S3Error.INVALID_URI);
    }
  }

  @Property
  void anyKeyIsFoundInItsPath(@ForAll("keys") String key) {
    String path = "/" + UriEncoding.encodePath(key);
    S3Target pathStyle =
        parser.parse(new RequestHead("GET", "/bucket" + path, HttpFields.EMPTY)).target();
    S3Target hostStyle =
        parser
            .parse(new RequestHead("GET", path, HttpFields.of("Host", "bucket.s3.example.com")))
            .target();
    assertThat(pathStyle).isEqualTo(new S3Target("bucket", key, Query.EMPTY)).isEqualTo(hostStyle);
  }

  @Property
  void aQueryIsReadAsItWasWritten(@ForAll("queries") Query query) {
    assertThat(Query.parse(query.encoded())).isEqualTo(query);
  }

  @Provide
  Arbitrary<Query> queries() {
    return Combinators.combine(texts(), texts())
        .as(Query.Parameter::new)
        .list()
        .ofMaxSize(6)
        .map(Query::new);
  }

  @Property
  void aCopySourceIsReadAsItWasWritten(
      @ForAll("keys") String key, @ForAll("texts") String version, @ForAll boolean slash) {
    CopySource source = new CopySource("bucket", key, java.util.Optional.of(version));
    assertThat(CopySource.parse((slash ? "/" : "") + source.encoded())).isEqualTo(source);
  }

  @Provide
  Arbitrary<String> targets() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "/",
            "//",
            "..",
            ".",
            "%",
            "%2F",
            "%2f",
            "%00",
            "%C3%A9",
            "%c3",
            "%zz",
            "+",
            "?",
            "&",
            "=",
            "b",
            "bucket",
            "key",
            "acl",
            "uploads",
            "uploadId",
            "partNumber=1",
            "prefix=x",
            "versionId",
            "list-type=2",
            "x-amz-acl=private",
            "x-amz-copy-source=b%2Fk",
            "delete",
            "http://",
            "-",
            "\u00e9",
            "\u20ac",
            "\0",
            " ");
    return pieces.list().ofMinSize(1).ofMaxSize(12).map(list -> "/" + String.join("", list));
  }

  @Property
  void anyRequestTargetIsParsedOrRefused(@ForAll("targets") String target) {
    for (String method : List.of("GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS")) {
      try {
        S3Request request = parser.parse(new RequestHead(method, target, HttpFields.EMPTY));
        assertThat(request.target().bucket()).doesNotContain("/", "..");
        assertThat(request.operation().name()).isNotEmpty();
        // what goes to the store is the same request again
        if (!(request.operation() instanceof S3Operation.Copy)
            && !(request.operation() instanceof S3Operation.Reserved)) {
          S3Target parsed = request.target();
          String again =
              ("/" + UriEncoding.encode(parsed.bucket()) + "/")
                  + UriEncoding.encodePath(parsed.key())
                  + ("?" + parsed.query().encoded());
          assertThat(
                  parser
                      .parse(
                          new RequestHead(
                              method,
                              parsed.isService() ? again.substring(1) : again,
                              HttpFields.EMPTY))
                      .target())
              .isEqualTo(parsed);
        }
      } catch (S3Exception e) {
        assertThat(e.error().status()).isBetween(400, 501);
      }
    }
  }
}
