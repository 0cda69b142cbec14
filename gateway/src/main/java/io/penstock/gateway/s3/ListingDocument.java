package io.penstock.gateway.s3;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLEventFactory;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLEventWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.XMLEvent;

/** Makes the listing of one bucket that of another, whose objects have the same keys. */
final class ListingDocument {
  /** Said of the bytes that the store has. */
  private static final Set<String> OF_THE_BYTES = Set.of("ChecksumAlgorithm", "ChecksumType");

  private final String bucket;
  private final long length;
  private final UnaryOperator<String> etag;
  private final XMLEventFactory events = XMLEventFactory.newDefaultFactory();
  private final Deque<String> path = new ArrayDeque<>();

  ListingDocument(String bucket, long length, UnaryOperator<String> etag) {
    this.bucket = bucket;
    this.length = length;
    this.etag = etag;
  }

  byte[] rewrite(byte[] answer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(answer.length);
    try {
      XMLEventReader reader = XmlReading.events(answer);
      XMLEventWriter writer =
          XMLOutputFactory.newDefaultFactory().createXMLEventWriter(out, "UTF-8");
      while (reader.hasNext()) {
        pass(reader.nextEvent(), reader, writer);
      }
      writer.close();
    } catch (XMLStreamException _) {
      throw new S3Exception(
          S3Error.INTERNAL_ERROR, "The store's listing could not be read; try again");
    }
    return out.toByteArray();
  }

  private void pass(XMLEvent event, XMLEventReader reader, XMLEventWriter writer)
      throws XMLStreamException {
    if (event.isEndElement()) {
      path.pop();
    }
    if (!event.isStartElement()) {
      writer.add(event);
      return;
    }
    String parent = path.isEmpty() ? "" : path.peek();
    String name = event.asStartElement().getName().getLocalPart();
    boolean object = parent.equals("Contents");
    if (object && OF_THE_BYTES.contains(name)) {
      var _ = reader.getElementText();
      return;
    }
    writer.add(event);
    Optional<String> text = replacement(parent, name, reader);
    if (text.isPresent()) {
      writer.add(events.createCharacters(text.get()));
      writer.add(events.createEndElement(event.asStartElement().getName(), null));
    } else {
      path.push(name);
    }
  }

  /** The element's new text, after which the reader stands behind its end. */
  private Optional<String> replacement(String parent, String name, XMLEventReader reader)
      throws XMLStreamException {
    return switch (parent + "/" + name) {
      case "Contents/Size" -> Optional.of(size(reader.getElementText()));
      case "Contents/ETag" -> Optional.of(etag.apply(reader.getElementText()));
      case "ListBucketResult/Name" -> {
        var _ = reader.getElementText();
        yield Optional.of(bucket);
      }
      default -> Optional.empty();
    };
  }

  private String size(String text) {
    return text.strip().equals("0") ? "0" : Long.toString(length);
  }
}
