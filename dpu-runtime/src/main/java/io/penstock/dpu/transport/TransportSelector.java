package io.penstock.dpu.transport;

import io.penstock.config.RuntimeConfig;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the transport: without a wish the first of io_uring, epoll and nio that works; with one
 * that one or none. nio is part of the JVM and taken without proof when the others fail.
 *
 * <p>Threading: stateless; the proof blocks, so call it before there is an event loop.
 */
public final class TransportSelector {
  private final TransportProof proof;

  public TransportSelector(TransportProof proof) {
    this.proof = proof;
  }

  /**
   * Chooses.
   *
   * @throws TransportUnavailableException if {@code wish} is a particular transport and it does not
   *     work here
   */
  public TransportChoice select(RuntimeConfig.Transport wish) {
    return wish == RuntimeConfig.Transport.AUTO ? best() : forced(TransportKind.forced(wish));
  }

  private TransportChoice forced(TransportKind kind) {
    Optional<String> refusal = proof.refusal(kind);
    if (refusal.isPresent()) {
      throw new TransportUnavailableException(kind, refusal.get());
    }
    return new TransportChoice(kind, "runtime.transport asks for it, and it works", Map.of());
  }

  private TransportChoice best() {
    Map<TransportKind, String> refused = new EnumMap<>(TransportKind.class);
    for (TransportKind kind : TransportKind.values()) {
      if (kind == TransportKind.NIO) {
        break;
      }
      Optional<String> refusal = proof.refusal(kind);
      if (refusal.isEmpty()) {
        return new TransportChoice(kind, reason(refused), refused);
      }
      refused.put(kind, refusal.get());
    }
    return new TransportChoice(TransportKind.NIO, reason(refused), refused);
  }

  private static String reason(Map<TransportKind, String> refused) {
    return refused.isEmpty()
        ? "the best there is, and it works"
        : "the best that works, without " + refused.keySet().toString().replaceAll("[\\[\\]]", "");
  }
}
