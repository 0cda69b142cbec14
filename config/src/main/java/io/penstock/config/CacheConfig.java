package io.penstock.config;

import java.time.Duration;
import java.util.Optional;

/** What the gateway keeps of what it has read. */
public record CacheConfig(
    @Key(
            doc =
                "Memory for cached objects and read-ahead, taken from runtime.memory-budget as it is"
                    + " needed and given back when others need it. Left out, as much as the budget"
                    + " has for caches (40 %); 0 turns caching and read-ahead off.",
            example = "8GiB",
            max = "64TiB")
        Optional<ByteSize> memory,
    @Key(
            doc =
                "Objects are kept in blocks of this size; a smaller object is one block of its own"
                    + " length.",
            defaultValue = "1MiB",
            min = "64KiB",
            max = "16MiB")
        ByteSize blockSize,
    @Key(
            doc =
                "How long a cached object is served without asking the store. 0s asks each time with"
                    + " If-None-Match, so that a read sees every earlier write, also one that did not"
                    + " come through the gateway. For data that never changes set 10m or more.",
            defaultValue = "0s",
            max = "720h")
        Duration freshFor,
    @Key(
            doc =
                "An object is kept when it is asked for a second time within this time, so that what"
                    + " is read once costs nothing; 0s keeps it at the first request.",
            defaultValue = "1h",
            max = "720h")
        Duration admitWithin,
    @Key(
            doc = "Most objects whose heads are kept; each takes 1 to 2 KiB of heap.",
            defaultValue = "65536",
            min = "16",
            max = "16777216")
        int maxObjects,
    @Key(doc = "Reading ahead for clients that read ranges of one object in order.")
        ReadAheadConfig readAhead,
    @Key(
            doc =
                "A second tier on a local disk: blocks that came into memory are also written there,"
                    + " and found again after a restart. Off if left out.")
        Optional<DiskConfig> disk) {

  /** A second tier on a local disk. */
  public record DiskConfig(
      @Key(
              doc =
                  "The folder, made if there is none. It holds objects as they are, readable by the"
                      + " gateway's user only; each gateway needs one of its own.",
              example = "/var/cache/penstock",
              pattern = "/.*",
              expected = "a path that begins with /")
          String path,
      @Key(
              doc = "Most bytes to take there; the oldest blocks that nobody reads go first.",
              defaultValue = "16GiB",
              min = "1MiB",
              max = "1024TiB")
          ByteSize size) {}

  /** Reading ahead for clients that read ranges of one object in order. */
  public record ReadAheadConfig(
      @Key(doc = "Whether to read ahead at all.", defaultValue = "true") boolean enabled,
      @Key(
              doc =
                  "Most bytes to be ahead of one reader; the window starts small and doubles while"
                      + " the reader goes on.",
              defaultValue = "32MiB",
              min = "1MiB",
              max = "4GiB")
          ByteSize maxWindow,
      @Key(
              doc =
                  "A sequential reader is served without asking the store again for so long after the"
                      + " store has confirmed the version being read. 0s: cache.fresh-for alone"
                      + " decides.",
              defaultValue = "1s",
              max = "1h")
          Duration trustFor) {}
}
