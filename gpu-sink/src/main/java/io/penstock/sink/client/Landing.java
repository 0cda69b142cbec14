package io.penstock.sink.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchRequestWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A stream that a gateway on this machine lands in a ring: the connection only tells how far it is.
 *
 * <p>Threading: one thread waits; any may {@link #close}, which ends the stream.
 */
public final class Landing implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> OF_THE_SERVICE =
      Set.of("InternalError", "ServiceUnavailable", "SlowDown");

  private final Wire wire;
  private final BufferedReader lines;

  private Landing(Wire wire, BufferedReader lines) {
    this.wire = wire;
    this.lines = lines;
  }

  /** Asks over {@code wire}, which belongs to the landing from now on. */
  static Landing over(Wire wire, RequestSigner signer, BatchRequest request) throws IOException {
    byte[] body = BatchRequestWriter.json(request);
    byte[] head = signer.head(request.epoch().isPresent() ? "/-/epochs" : "/-/batch", body);
    ByteBuffer bytes = ByteBuffer.allocateDirect(head.length + body.length);
    wire.write(bytes.put(head).put(body).flip());
    HttpInput input = new HttpInput(wire);
    ResponseHead answer = input.head();
    if (answer.status() != 200) {
      throw Refusal.of(answer, input);
    }
    return new Landing(
        wire,
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(input), StandardCharsets.UTF_8)));
  }

  /**
   * Waits until the stream is complete in the ring.
   *
   * @return batches that landed
   * @throws GatewayException if it failed, or the gateway has gone
   */
  public long await() {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Map<String, String> told = parse(line);
        String state = told.getOrDefault("state", "");
        if (state.equals("complete")) {
          return Long.parseLong(told.getOrDefault("batches", "0"));
        }
        if (state.equals("failed")) {
          String code = told.getOrDefault("code", "InternalError");
          throw new GatewayException(
              OF_THE_SERVICE.contains(code)
                  ? GatewayException.Fault.SERVICE
                  : GatewayException.Fault.CALLER,
              code,
              told.getOrDefault("message", ""),
              Boolean.parseBoolean(told.getOrDefault("retryable", "false")),
              null);
        }
      }
      throw new IOException("the gateway stopped telling how far it is");
    } catch (IOException e) {
      throw GatewayException.of(e);
    }
  }

  private static Map<String, String> parse(String line) throws IOException {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(line)) {
      String name = "";
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          name = json.currentName();
        } else if (token.isScalarValue()) {
          fields.put(name, json.getText());
        }
      }
    }
    return fields;
  }

  @Override
  public void close() {
    try {
      wire.close();
    } catch (IOException e) {
      // nothing is left to be saved of it
    }
  }
}
