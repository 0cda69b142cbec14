package io.penstock.gateway.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the body of DeleteObjects. Strict about its shape, because the same bytes go on to the
 * store: what the gateway might skip and the store might read must not exist.
 */
final class DeleteDocument {
  private static final int MAX_KEYS = 1000;

  private DeleteDocument() {}

  static List<String> keys(byte[] body) {
    List<String> keys = new ArrayList<>();
    try {
      XMLStreamReader reader = XmlReading.open(body);
      if (next(reader) != XMLStreamConstants.START_ELEMENT
          || !reader.getLocalName().equals("Delete")) {
        throw malformed("the root element must be Delete");
      }
      while (next(reader) == XMLStreamConstants.START_ELEMENT) {
        switch (reader.getLocalName()) {
          case "Object" -> keys.add(key(reader));
          case "Quiet" -> reader.getElementText();
          default -> throw malformed("Delete holds only Object and Quiet");
        }
        if (keys.size() > MAX_KEYS) {
          throw malformed("at most " + MAX_KEYS + " keys can be deleted at once");
        }
      }
      if (next(reader) != XMLStreamConstants.END_DOCUMENT) {
        throw malformed("something follows the root element");
      }
    } catch (XMLStreamException _) {
      throw malformed("it is not well-formed UTF-8 XML without a document type");
    }
    if (keys.isEmpty()) {
      throw malformed("it names no key");
    }
    return List.copyOf(keys);
  }

  private static String key(XMLStreamReader reader) throws XMLStreamException {
    Optional<String> key = Optional.empty();
    while (next(reader) == XMLStreamConstants.START_ELEMENT) {
      boolean isKey = reader.getLocalName().equals("Key");
      String text = reader.getElementText();
      if (isKey) {
        if (key.isPresent()) {
          throw malformed("an Object has more than one Key");
        }
        key = Optional.of(text);
      }
    }
    return key.filter(text -> !text.isEmpty()).orElseThrow(() -> malformed("an Object has no Key"));
  }

  /** The next start, end or end of document; text other than white space has no place here. */
  private static int next(XMLStreamReader reader) throws XMLStreamException {
    while (true) {
      int event = reader.next();
      switch (event) {
        case XMLStreamConstants.START_ELEMENT,
            XMLStreamConstants.END_ELEMENT,
            XMLStreamConstants.END_DOCUMENT -> {
          return event;
        }
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw malformed("document types and entities are not allowed");
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!reader.isWhiteSpace()) {
            throw malformed("it holds text between elements");
          }
        }
        default -> {}
      }
    }
  }

  private static S3Exception malformed(String why) {
    return new S3Exception(
        S3Error.MALFORMED_XML, "The XML of the DeleteObjects request cannot be accepted: " + why);
  }
}
