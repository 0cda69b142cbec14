package io.penstock.dpu.transport;

import io.penstock.config.RuntimeConfig;

/** The kernel interfaces that can move bytes, best first. */
public enum TransportKind {
  IO_URING("io_uring", 256 << 10),
  EPOLL("epoll", 512 << 10),
  NIO("nio", 256 << 10);

  private final String label;
  private final int receiveBytes;

  TransportKind(String label, int receiveBytes) {
    this.label = label;
    this.receiveBytes = receiveBytes;
  }

  /**
   * The size of one read: where the cost per byte was lowest when measured (io_uring without a
   * buffer ring, epoll). nio is a way out, not a way to be fast, and was not measured.
   */
  public int receiveBytes() {
    return receiveBytes;
  }

  static TransportKind forced(RuntimeConfig.Transport wish) {
    return switch (wish) {
      case IO_URING -> IO_URING;
      case EPOLL -> EPOLL;
      case NIO -> NIO;
      case AUTO -> throw new IllegalArgumentException("auto forces nothing");
    };
  }

  /** As in the configuration file. */
  @Override
  public String toString() {
    return label;
  }
}
