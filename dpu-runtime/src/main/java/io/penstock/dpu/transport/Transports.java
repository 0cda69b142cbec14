package io.penstock.dpu.transport;

import io.vertx.core.transport.Transport;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x's transports by kind.
 *
 * <p>Threading: stateless.
 */
final class Transports {
  private Transports() {}

  /** Why the library cannot offer {@code kind}; empty if it says it can. */
  static Optional<String> refusal(TransportKind kind) {
    Transport transport = find(kind);
    if (transport == null) {
      return Optional.of("its library is not on the class path");
    }
    if (transport.available() && transport.implementation() != null) {
      return Optional.empty();
    }
    return Optional.of(Causes.innermost(transport.unavailabilityCause()));
  }

  /** The transport that {@link #refusal} found nothing against. */
  static io.vertx.core.spi.transport.Transport implementation(TransportKind kind) {
    Transport transport = find(kind);
    if (transport == null) {
      throw new IllegalStateException(kind + " is not on the class path");
    }
    return transport.implementation();
  }

  // Vert.x leaves the field null when the classes of a transport are missing.
  private static @Nullable Transport find(TransportKind kind) {
    return switch (kind) {
      case IO_URING -> Transport.IO_URING;
      case EPOLL -> Transport.EPOLL;
      case NIO -> Transport.NIO;
    };
  }
}
