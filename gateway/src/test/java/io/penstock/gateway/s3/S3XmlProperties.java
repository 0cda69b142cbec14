package io.penstock.gateway.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.w3c.dom.Document;

class S3XmlProperties {

  /** Whatever a client may have put in a key or path, and a broken caller in a message. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.integers()
        .between(0, 0xffff)
        .map(c -> (char) c.intValue())
        .list()
        .ofMaxSize(20)
        .map(
            chars -> {
              StringBuilder text = new StringBuilder();
              chars.forEach(text::append);
              return text.toString();
            });
  }

  @Property
  void anErrorIsAlwaysWellFormed(@ForAll("texts") String message, @ForAll("texts") String resource)
      throws Exception {
    byte[] xml = S3Xml.error(S3Error.INTERNAL_ERROR, message, resource, "id", "host");
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml));
    assertThat(document.getElementsByTagName("Resource").item(0).getTextContent())
        .isEqualTo(shown(resource));
    assertThat(S3Xml.errorCode(xml)).contains("InternalError");
  }

  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c < ' ' && c != '\n' && c != '\t' && c != '\r') {
                shown
                    .append('%')
                    .append(c < 16 ? "0" : "")
                    .append(Integer.toHexString(c).toUpperCase());
              } else if (c >= 0xd800 && c <= 0xdfff || c == 0xfffe || c == 0xffff) {
                shown.append('\ufffd');
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  @Property(tries = 20)
  void anyPrefixOfAnErrorSaysErrorOrNothing(@ForAll("texts") String message) {
    byte[] xml = S3Xml.error(S3Error.SLOW_DOWN, message, "/", "id", "host");
    for (int length = 0; length < xml.length; length++) {
      assertThat(S3Xml.errorCode(java.util.Arrays.copyOf(xml, length)).orElse(""))
          .isIn("", "InternalError", "SlowDown");
    }
  }

  @Provide
  Arbitrary<byte[]> documents() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "<Delete>",
            "</Delete>",
            "<Object>",
            "</Object>",
            "<Key>",
            "</Key>",
            "k",
            " ",
            "&lt;",
            "&#1;",
            "&x;",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?x?>",
            "<!DOCTYPE D>",
            "<Error>",
            "<Code>",
            "<Bucket>",
            "<Name>",
            "\0",
            "\u00e9",
            "<",
            ">",
            "'",
            "<a b='",
            "xmlns=");
    return pieces.list().ofMaxSize(20).map(list -> String.join("", list).getBytes(UTF_8));
  }

  @Property(tries = 500)
  void nothingButAnS3ErrorComesOutOfBrokenXml(
      @ForAll("documents") byte[] pieces, @ForAll byte[] bytes) {
    for (byte[] document : List.of(pieces, bytes)) {
      S3Xml.errorCode(document);
      try {
        assertThat(S3Xml.deleteKeys(document)).isNotEmpty().doesNotContain("");
      } catch (S3Exception e) {
        assertThat(e.error()).isEqualTo(S3Error.MALFORMED_XML);
      }
      try {
        S3Xml.filterBuckets(document, name -> false);
      } catch (S3Exception e) {
        assertThat(e.error()).isEqualTo(S3Error.INTERNAL_ERROR);
      }
    }
  }
}
