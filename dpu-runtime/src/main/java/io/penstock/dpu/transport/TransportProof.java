package io.penstock.dpu.transport;

import java.util.Optional;

/** Finds out whether a transport works here, by using it. */
@FunctionalInterface
public interface TransportProof {

  /**
   * Why {@code kind} cannot be used; empty if it can. Takes at most a few seconds, never throws.
   */
  Optional<String> refusal(TransportKind kind);
}
