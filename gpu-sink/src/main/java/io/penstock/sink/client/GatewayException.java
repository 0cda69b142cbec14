package io.penstock.sink.client;

import io.penstock.arrow.ipc.BatchStreamException;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stream could not be had, or not to its end. Batches before it are good, and {@link
 * BatchStream#position} says where to go on. Unchecked, so that a stream can be walked with {@code
 * for}.
 */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Set<String> OF_THE_SERVICE =
      Set.of("InternalError", "ServiceUnavailable", "SlowDown");

  /** Who has to do something about it. */
  public enum Fault {
    /** Who asked: keys, names, numbers, too little room. */
    CALLER,
    /** The gateway, or the store behind it. */
    SERVICE,
    /** What lies between. */
    NETWORK
  }

  private final Fault fault;
  private final String code;
  private final boolean retryable;

  GatewayException(
      Fault fault, String code, String message, boolean retryable, @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.fault = fault;
    this.code = code;
    this.retryable = retryable;
  }

  static GatewayException caller(String code, String message) {
    return new GatewayException(Fault.CALLER, code, message, false, null);
  }

  /** What a broken read or connection means. */
  static GatewayException of(IOException cause) {
    if (cause instanceof BatchStreamException stream) {
      return switch (stream.reason()) {
        case FAILED -> stated(stream);
        case TRUNCATED -> network("Truncated", stream);
        case TOO_LARGE ->
            new GatewayException(Fault.CALLER, "TooLarge", text(stream), false, stream);
        case MALFORMED, UNSUPPORTED ->
            new GatewayException(Fault.SERVICE, "Malformed", text(stream), false, stream);
      };
    }
    return network("ConnectionBroken", cause);
  }

  private static GatewayException stated(BatchStreamException stream) {
    String code = stream.error().map(error -> error.code()).orElse("InternalError");
    String message = stream.error().map(error -> error.message()).orElse(text(stream));
    return new GatewayException(
        OF_THE_SERVICE.contains(code) ? Fault.SERVICE : Fault.CALLER,
        code,
        message,
        stream.retryable(),
        stream);
  }

  private static GatewayException network(String code, IOException cause) {
    return new GatewayException(Fault.NETWORK, code, text(cause), true, cause);
  }

  private static String text(IOException cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }

  public Fault fault() {
    return fault;
  }

  /** An S3 code, one of docs/decoders.md, or one of this client's: docs/clients.md lists them. */
  public String code() {
    return code;
  }

  /** Whether the same request may succeed later; a stream has then tried as often as it may. */
  public boolean retryable() {
    return retryable;
  }
}
