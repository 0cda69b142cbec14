package io.penstock.dpu.transport;

/** The configured transport does not work on this machine. The start must not go on. */
public final class TransportUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final TransportKind kind;

  TransportUnavailableException(TransportKind kind, String cause) {
    super(
        "runtime.transport is "
            + kind
            + ", but it does not work here: "
            + cause
            + ". To fix it: "
            + remedy(kind)
            + "; or set runtime.transport to auto");
    this.kind = kind;
  }

  public TransportKind kind() {
    return kind;
  }

  private static String remedy(TransportKind kind) {
    return switch (kind) {
      case IO_URING ->
          "run on Linux 5.9 or later with sysctl kernel.io_uring_disabled=0, and let the container"
              + " call io_uring_setup, io_uring_enter and io_uring_register (seccomp profile)";
      case EPOLL -> "run on Linux, with a temporary folder from which libraries may be loaded";
      case NIO -> "allow the process to open sockets on the loopback interface";
    };
  }
}
