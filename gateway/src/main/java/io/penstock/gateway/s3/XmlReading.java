package io.penstock.gateway.s3;

import java.io.ByteArrayInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Opens XML of strangers: UTF-8, no document type, nothing fetched, nothing expanded. */
final class XmlReading {
  private static final XMLInputFactory FACTORY = factory();

  private XmlReading() {}

  static XMLStreamReader open(byte[] document) throws XMLStreamException {
    // the factory is not promised to be thread safe while it makes a reader
    synchronized (FACTORY) {
      return FACTORY.createXMLStreamReader(new ByteArrayInputStream(document), "UTF-8");
    }
  }

  static XMLInputFactory factory() {
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
