package io.penstock.gateway.s3;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3XmlTest {
  private static final String BILLION_LAUGHS =
      "<?xml version=\"1.0\"?><!DOCTYPE Delete [<!ENTITY a \"ha\"><!ENTITY b"
          + " \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]>"
          + "<Delete><Object><Key>&c;</Key></Object></Delete>";
  private static final String EXTERNAL =
      "<!DOCTYPE Delete [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>"
          + "<Delete><Object><Key>&x;</Key></Object></Delete>";

  // --- errors ---

  @Test
  void anErrorIsTheDocumentThatClientsKnow() {
    assertThat(
            new String(
                S3Xml.error(S3Error.NO_SUCH_KEY, "No <such> \"key\"", "/b/a&b", "R", "H"), UTF_8))
        .isEqualTo(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>NoSuchKey</Code><Message>No &lt;such&gt; &quot;key&quot;</Message>\
            <Resource>/b/a&amp;b</Resource><RequestId>R</RequestId><HostId>H</HostId></Error>""");
  }

  @Test
  void everyErrorHasAnHttpErrorStatus() {
    for (S3Error error : S3Error.values()) {
      assertThat(error.status()).as(error.code()).isBetween(400, 599);
      assertThat(error.code()).matches("[A-Za-z0-9]+");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Error><Code>SlowDown</Code></Error>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n   \n<Error><Code>SlowDown</Code><Mess",
        "  \r\n <?xml version=\"1.0\"?><Error><Code>SlowDown</Code>",
        "   <Error xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Message>a&amp;b</Message>"
            + "<Code> SlowDown </Code></Error>",
        "\ufeff<Error><Code>SlowDown</Code></Error>",
      })
  void findsAnErrorInsideASuccess(String body) {
    assertThat(S3Xml.errorCode(body.getBytes(UTF_8))).contains("SlowDown");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Error>",
        "<Error><Co",
        "<Error><Code>Slow",
        "<Error></Error>",
        "<Error><Message>m</Message>"
      })
  void anErrorWithoutItsCodeIsAnErrorAllTheSame(String prefix) {
    assertThat(S3Xml.errorCode(prefix.getBytes(UTF_8))).contains("InternalError");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "<?xml version=\"1.0\"?>  ",
        "<Err",
        "<CompleteMultipartUploadResult><Error>",
        "<Errors><Code>x</Code></Errors>",
        "no xml",
        "\0\0\0",
        "<!DOCTYPE Error><CopyObjectResult/>",
      })
  void anythingElseIsNoError(String prefix) {
    assertThat(S3Xml.errorCode(prefix.getBytes(UTF_8))).isEmpty();
  }

  // --- DeleteObjects ---

  private static List<String> keys(String body) {
    return S3Xml.deleteKeys(body.getBytes(UTF_8));
  }

  @Test
  void readsTheKeysOfADelete() {
    assertThat(
            keys(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                  <!-- a comment -->
                  <Quiet>true</Quiet>
                  <Object><Key>a/b c+d</Key><VersionId>1</VersionId></Object>
                  <Object><VersionId>2</VersionId><Key>&lt;&amp;&#13;&#x20;é😀</Key></Object>
                  <Object><Key><![CDATA[<raw>&amp;]]></Key><ETag>"e"</ETag><Size>1</Size></Object>
                  <Object><Key> spaces stay </Key></Object>
                </Delete>
                """))
        .containsExactly("a/b c+d", "<&\r é😀", "<raw>&amp;", " spaces stay ");
  }

  @Test
  void readsControlCharactersOfXml11() {
    assertThat(keys("<?xml version=\"1.1\"?><Delete><Object><Key>a&#1;b</Key></Object></Delete>"))
        .containsExactly("a\u0001b");
  }

  @Test
  void readsAPrefixedDocumentWithMark() {
    assertThat(
            keys("\ufeff<s:Delete xmlns:s=\"u\"><s:Object><s:Key>k</s:Key></s:Object></s:Delete>"))
        .containsExactly("k");
  }

  @Test
  void readsUpToAThousandKeys() {
    assertThat(keys(deleteOf(1000))).hasSize(1000).endsWith("k999");
    assertThatThrownBy(() -> keys(deleteOf(1001))).hasMessageContaining("1000");
  }

  private static String deleteOf(int keys) {
    return IntStream.range(0, keys)
        .mapToObj(i -> "<Object><Key>k" + i + "</Key></Object>")
        .collect(Collectors.joining("", "<Delete>", "</Delete>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{}",
        "<Delete/>",
        "<Delete><Quiet>true</Quiet></Delete>",
        "<Delete><Object/></Delete>",
        "<Delete><Object><Key/></Object></Delete>",
        "<Delete><Object><VersionId>1</VersionId></Object></Delete>",
        "<Delete><Object><Key>a</Key><Key>b</Key></Object></Delete>",
        "<Delete><Object><Key>a<b/></Key></Object></Delete>",
        "<Delete><Object><X><Key>a</Key></X></Object></Delete>",
        "<Delete><X><Object><Key>a</Key></Object></X></Delete>",
        "<Delete><Key>a</Key></Delete>",
        "<Delete>text<Object><Key>a</Key></Object></Delete>",
        "<Remove><Object><Key>a</Key></Object></Remove>",
        "<Delete><Object><Key>a</Key></Object></Delete><Delete/>",
        "<Delete><Object><Key>a</Key></Object>",
        "<Delete><Object><Key>a\0</Key></Object></Delete>",
        "<Delete><Object><Key>&#0;</Key></Object></Delete>",
        "<Delete><Object><Key>&#xD800;</Key></Object></Delete>",
        "<Delete><Object><Key>&nbsp;</Key></Object></Delete>",
        "<!DOCTYPE Delete><Delete><Object><Key>a</Key></Object></Delete>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><Delete><Object><Key>a</Key></Object></Delete>",
        BILLION_LAUGHS,
        EXTERNAL,
      })
  void refusesWhatTheStoreMightReadInAnotherWay(String body) {
    assertMalformed(body.getBytes(UTF_8));
  }

  @Test
  void refusesOtherEncodings() {
    String body = "<Delete><Object><Key>é</Key></Object></Delete>";
    assertMalformed(body.getBytes(UTF_16));
    assertMalformed(body.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    byte[] overlong = "<Delete><Object><Key>__</Key></Object></Delete>".getBytes(UTF_8);
    overlong[21] = (byte) 0xc0;
    overlong[22] = (byte) 0xaf;
    assertMalformed(overlong);
  }

  @Test
  void refusesHugeAndDeepDocuments() {
    byte[] spaces = new byte[10 << 20];
    Arrays.fill(spaces, (byte) ' ');
    assertMalformed(spaces);
    assertMalformed("<Delete>".repeat(1 << 20).getBytes(UTF_8));
    assertMalformed(("<Delete " + "a='' ".repeat(1 << 20)).getBytes(UTF_8));
    assertMalformed(("<Delete><Object><Key>" + "x".repeat(10 << 20)).getBytes(UTF_8));
  }

  private static void assertMalformed(byte[] body) {
    assertThatThrownBy(() -> S3Xml.deleteKeys(body))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.error()).isEqualTo(S3Error.MALFORMED_XML));
  }

  // --- ListBuckets ---

  private static final String BUCKETS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
      <Owner><ID>o&amp;1</ID><DisplayName>n</DisplayName></Owner><Buckets>\
      <Bucket><Name>one</Name><CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket>\
      <Bucket><CreationDate>2026-01-02T00:00:00.000Z</CreationDate><Name>two</Name></Bucket>\
      <Bucket><Name>three</Name></Bucket></Buckets>\
      <ContinuationToken>t</ContinuationToken></ListAllMyBucketsResult>""";

  @Test
  void takesOutTheBucketsThatMayNotBeSeen() {
    String filtered =
        new String(
            S3Xml.filterBuckets(BUCKETS.getBytes(UTF_8), name -> !name.equals("two")), UTF_8);
    assertThat(filtered)
        .contains(
            "<ListAllMyBucketsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">",
            "<Owner><ID>o&amp;1</ID><DisplayName>n</DisplayName></Owner>",
            "<Buckets><Bucket><Name>one</Name>"
                + "<CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket>"
                + "<Bucket><Name>three</Name></Bucket></Buckets>",
            "<ContinuationToken>t</ContinuationToken>")
        .doesNotContain("two");
  }

  @Test
  void anUnreadableListIsNotPassedOn() {
    for (String body : List.of("", "no xml", BUCKETS.substring(0, 400), EXTERNAL)) {
      assertThatThrownBy(() -> S3Xml.filterBuckets(body.getBytes(UTF_8), name -> false))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.error()).isEqualTo(S3Error.INTERNAL_ERROR));
    }
  }

  @Test
  void aListingIsMadeThatOfAnotherBucket() {
    String listing =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>photos</Name>\
        <Prefix>a&amp;b/</Prefix><KeyCount>2</KeyCount><Contents><Key>a&amp;b/Size</Key>\
        <ETag>&quot;1&quot;</ETag><Size>77</Size><ChecksumAlgorithm>CRC32</ChecksumAlgorithm>\
        <Owner><ID>Name</ID><DisplayName>me</DisplayName></Owner></Contents><Contents>\
        <Key>empty</Key><ETag>"2"</ETag><Size>0</Size></Contents><CommonPrefixes><Prefix>c/</Prefix>\
        </CommonPrefixes></ListBucketResult>""";
    byte[] made =
        S3Xml.renamedListing(
            listing.getBytes(UTF_8), "features", 1152, etag -> etag.replace("\"", "") + "-f");
    assertThat(new String(made, UTF_8))
        .contains("<Name>features</Name><Prefix>a&amp;b/</Prefix><KeyCount>2</KeyCount>")
        .contains("<Key>a&amp;b/Size</Key><ETag>1-f</ETag><Size>1152</Size><Owner>")
        .contains("<ID>Name</ID><DisplayName>me</DisplayName>")
        .contains("<Key>empty</Key><ETag>2-f</ETag><Size>0</Size>")
        .contains("<CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes>")
        .doesNotContain("photos", "CRC32");
    assertThat(S3Xml.listPage(made).keys()).containsExactly("a&b/Size", "empty");
  }
}
