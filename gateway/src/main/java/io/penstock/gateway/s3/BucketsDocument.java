package io.penstock.gateway.s3;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLEventWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.XMLEvent;

/** Takes buckets out of a ListBuckets answer and leaves all else as it is. */
final class BucketsDocument {
  private BucketsDocument() {}

  static byte[] filter(byte[] answer, Predicate<String> visible) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(answer.length);
    try {
      XMLEventReader reader = XmlReading.events(answer);
      XMLEventWriter writer =
          XMLOutputFactory.newDefaultFactory().createXMLEventWriter(out, "UTF-8");
      while (reader.hasNext()) {
        XMLEvent event = reader.nextEvent();
        if (isStart(event, "Bucket")) {
          List<XMLEvent> bucket = element(event, reader);
          if (visible.test(name(bucket))) {
            for (XMLEvent each : bucket) {
              writer.add(each);
            }
          }
        } else {
          writer.add(event);
        }
      }
      writer.close();
    } catch (XMLStreamException _) {
      throw new S3Exception(
          S3Error.INTERNAL_ERROR, "The store's list of buckets could not be read; try again");
    }
    return out.toByteArray();
  }

  private static List<XMLEvent> element(XMLEvent start, XMLEventReader reader)
      throws XMLStreamException {
    List<XMLEvent> events = new ArrayList<>();
    events.add(start);
    for (int depth = 1; depth > 0; ) {
      XMLEvent event = reader.nextEvent();
      events.add(event);
      depth += event.isStartElement() ? 1 : event.isEndElement() ? -1 : 0;
    }
    return events;
  }

  private static String name(List<XMLEvent> bucket) {
    StringBuilder name = new StringBuilder();
    boolean inside = false;
    for (XMLEvent event : bucket) {
      if (isStart(event, "Name")) {
        inside = true;
      } else if (event.isEndElement()) {
        inside = false;
      } else if (inside && event.isCharacters()) {
        name.append(event.asCharacters().getData());
      }
    }
    return name.toString();
  }

  private static boolean isStart(XMLEvent event, String name) {
    return event.isStartElement() && event.asStartElement().getName().getLocalPart().equals(name);
  }
}
