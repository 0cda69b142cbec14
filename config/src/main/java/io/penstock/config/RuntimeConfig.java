package io.penstock.config;

import java.util.Optional;

/** The machine: transport, event loops, memory. */
public record RuntimeConfig(
    @Key(
            doc =
                "Which kernel interface moves bytes. auto takes the best that works; a named one"
                    + " works or stops the start.",
            defaultValue = "auto")
        Transport transport,
    @Key(
            doc = "Number of event loops; left out, one for each core given to the network.",
            example = "4",
            min = "1",
            max = "1024")
        Optional<Integer> eventLoops,
    @Key(doc = "Keep each event loop on one core.", defaultValue = "false") boolean pinThreads,
    @Key(
            doc =
                "Memory for bytes in flight and caches; left out, a share of what the machine or the"
                    + " container allows.",
            example = "2GiB",
            min = "16MiB",
            max = "64TiB")
        Optional<ByteSize> memoryBudget) {

  /** Which kernel interface moves bytes; anything but AUTO works or stops the start. */
  public enum Transport {
    AUTO,
    @Spelling("io_uring")
    IO_URING,
    EPOLL,
    NIO
  }
}
