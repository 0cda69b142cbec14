package io.penstock.gateway.s3;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Opens XML of strangers: UTF-8, no document type, nothing fetched, nothing expanded. Bytes are
 * decoded before the parser sees them, because the JDK's parser prints undecodable ones to standard
 * error.
 *
 * <p>Threading: stateless; what it opens is not.
 */
final class XmlReading {
  private static final Set<String> ENCODINGS = Set.of("utf-8", "us-ascii");

  private XmlReading() {}

  /** A reader of a whole document. */
  static XMLStreamReader open(byte[] document) throws XMLStreamException {
    XMLStreamReader reader = open(decoded(document));
    String declared = reader.getCharacterEncodingScheme();
    if (declared != null && !ENCODINGS.contains(declared.toLowerCase(Locale.ROOT))) {
      throw new XMLStreamException("only UTF-8 is read");
    }
    return reader;
  }

  /** A reader of a document, or of its beginning. */
  static XMLStreamReader open(String text) throws XMLStreamException {
    return factory().createXMLStreamReader(new StringReader(text));
  }

  static XMLEventReader events(byte[] document) throws XMLStreamException {
    return factory().createXMLEventReader(open(document));
  }

  private static String decoded(byte[] document) throws XMLStreamException {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new XMLStreamException(e);
    }
  }

  /** One for each document: a factory is not promised to be thread safe. */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    XMLResolver nothing =
        (_, _, _, _) -> {
          throw new XMLStreamException("external entities are not resolved");
        };
    factory.setXMLResolver(nothing);
    return factory;
  }
}
