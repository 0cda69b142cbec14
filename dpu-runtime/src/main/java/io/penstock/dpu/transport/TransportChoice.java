package io.penstock.dpu.transport;

import java.util.Map;

/**
 * Which kernel interface moves the bytes of this process, and why.
 *
 * @param reason one sentence for people
 * @param refused the better ones that do not work here, with the cause of each
 */
public record TransportChoice(
    TransportKind kind, String reason, Map<TransportKind, String> refused) {
  public TransportChoice {
    refused = Map.copyOf(refused);
  }
}
