package io.penstock.gateway.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads a ListObjectsV2 answer. */
final class ListDocument {
  private final List<String> keys = new ArrayList<>();
  private Optional<String> token = Optional.empty();
  private boolean truncated;
  private boolean encoded;

  private ListDocument() {}

  static ListPage page(byte[] answer) {
    ListDocument document = new ListDocument();
    try {
      document.read(XmlReading.open(answer));
    } catch (XMLStreamException _) {
      throw unreadable();
    }
    return document.page();
  }

  private void read(XMLStreamReader reader) throws XMLStreamException {
    boolean listing = false;
    boolean object = false;
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("Contents")) {
        object = false;
      }
      if (event != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (reader.getLocalName()) {
        case "ListBucketResult" -> listing = true;
        case "Contents" -> object = true;
        case "Key" -> {
          if (object) {
            keys.add(reader.getElementText());
          }
        }
        case "EncodingType" -> encoded = reader.getElementText().strip().equals("url");
        case "IsTruncated" -> truncated = reader.getElementText().strip().equals("true");
        case "NextContinuationToken" -> token = Optional.of(reader.getElementText());
        default -> {}
      }
    }
    if (!listing) {
      throw unreadable();
    }
  }

  private ListPage page() {
    if (truncated && token.isEmpty()) {
      throw unreadable();
    }
    // stores encode a space as a plus
    List<String> decoded = encoded ? keys.stream().map(UriEncoding::decodeQuery).toList() : keys;
    return new ListPage(decoded, truncated ? token : Optional.empty());
  }

  private static S3Exception unreadable() {
    return new S3Exception(
        S3Error.INTERNAL_ERROR, "The store's listing could not be read; try again");
  }
}
