package io.penstock.gateway.app.cli;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** What a running gateway says of itself on its admin port, in a few words. */
record RuntimeSummary(String transport, int eventLoops) {

  /**
   * @throws CommandFailure if the admin port does not answer
   */
  static RuntimeSummary of(URI admin) {
    URI address = admin.resolve("/runtime");
    try (InputStream answer = address.toURL().openStream()) {
      JsonObject report = new JsonObject(Buffer.buffer(answer.readAllBytes()));
      return new RuntimeSummary(
          report.getJsonObject("transport").getString("kind"),
          report.getJsonObject("cpu").getInteger("event-loops"));
    } catch (IOException e) {
      throw CommandFailure.failed("the gateway does not answer at " + address, e);
    }
  }

  @Override
  public String toString() {
    return transport + ", " + eventLoops + (eventLoops == 1 ? " event loop" : " event loops");
  }
}
