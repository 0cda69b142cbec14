package io.penstock.config;

import java.util.Optional;

/** The machine: transport, event loops, memory. */
public record RuntimeConfig(
    Transport transport,
    Optional<Integer> eventLoops,
    boolean pinThreads,
    Optional<ByteSize> memoryBudget) {

  /** Which kernel interface moves bytes; anything but AUTO works or stops the start. */
  public enum Transport {
    AUTO,
    IO_URING,
    EPOLL,
    NIO
  }
}
