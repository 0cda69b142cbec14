package io.penstock.sink.client;

import io.penstock.sink.client.GatewayException.Fault;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What an answer that is no stream means. */
final class Refusal {
  private static final int LONGEST = 64 << 10;
  private static final Set<Integer> RETRYABLE = Set.of(429, 500, 502, 503, 504);

  private Refusal() {}

  /** The failure that the answer is; reads its body. */
  static GatewayException of(ResponseHead head, HttpInput body) throws IOException {
    if (head.status() == 200) {
      return new GatewayException(
          Fault.CALLER,
          "NoStream",
          "the answer is no Arrow stream but %s: is this a gateway's S3 port?"
              .formatted(head.field("content-type").orElse("something without a type")),
          false,
          null);
    }
    Map<String, String> error = error(text(body));
    String code = error.getOrDefault("Code", "Status" + head.status());
    String message = error.getOrDefault("Message", "the gateway answered " + head.status());
    String request = error.containsKey("RequestId") ? " (" + error.get("RequestId") + ")" : "";
    return new GatewayException(
        head.status() >= 500 ? Fault.SERVICE : Fault.CALLER,
        code,
        message + request,
        RETRYABLE.contains(head.status()),
        null);
  }

  private static String text(HttpInput body) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
    while (bytes.hasRemaining() && body.read(bytes) >= 0) {}
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Texts of the elements of an S3 error document; nothing if it is none. */
  private static Map<String, String> error(String document) {
    Map<String, String> texts = new HashMap<>();
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(document));
      String element = "";
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          element = xml.getLocalName();
        } else if (event == XMLStreamConstants.CHARACTERS && !xml.isWhiteSpace()) {
          texts.putIfAbsent(element, xml.getText().strip());
        }
      }
      return texts;
    } catch (XMLStreamException e) {
      return Map.of();
    }
  }
}
