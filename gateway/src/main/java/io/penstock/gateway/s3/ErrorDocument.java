package io.penstock.gateway.s3;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Recognises an {@code <Error>} answer from its first bytes. */
final class ErrorDocument {
  private ErrorDocument() {}

  static Optional<String> code(byte[] prefix) {
    boolean error = false;
    try {
      XMLStreamReader reader = XmlReading.open(text(prefix));
      while (reader.hasNext()) {
        if (reader.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (!error) {
          if (!reader.getLocalName().equals("Error")) {
            return Optional.empty();
          }
          error = true;
        } else if (reader.getLocalName().equals("Code")) {
          return Optional.of(reader.getElementText().strip());
        }
      }
    } catch (XMLStreamException _) {
      // the prefix ends here
    }
    // an error whose code has not arrived is an error all the same
    return error ? Optional.of(S3Error.INTERNAL_ERROR.code()) : Optional.empty();
  }

  /**
   * White space before an XML declaration is not well-formed, but stores send it. The last
   * character may be cut.
   */
  private static String text(byte[] prefix) {
    String text = new String(prefix, StandardCharsets.UTF_8).stripLeading();
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }
}
