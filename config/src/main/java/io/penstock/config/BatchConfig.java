package io.penstock.config;

import java.time.Duration;
import java.util.Optional;

/** Batches: many objects in one request, one Arrow stream back. */
public record BatchConfig(
    @Key(
            doc =
                "Largest body of a batch request. More items than fit are named in a manifest or by"
                    + " a prefix.",
            defaultValue = "10MiB",
            min = "1KiB",
            max = "64MiB",
            reloadable = true)
        ByteSize maxRequest,
    @Key(
            doc =
                "Most items of one request, manifest or listing. A million plain keys take about"
                    + " 50 MiB of heap.",
            defaultValue = "1000000",
            min = "1",
            max = "10000000",
            reloadable = true)
        int maxItems,
    @Key(
            doc = "Most items a client may ask for in one batch.",
            defaultValue = "65536",
            min = "1",
            max = "1000000",
            reloadable = true)
        int maxBatchSize,
    @Key(
            doc = "Largest manifest object.",
            defaultValue = "128MiB",
            min = "1KiB",
            max = "1GiB",
            reloadable = true)
        ByteSize maxManifest,
    @Key(
            doc =
                "Largest object, range or member of one item; a larger one is an item that failed."
                    + " It must fit in memory with its batch.",
            defaultValue = "256MiB",
            min = "1KiB",
            max = "1GiB",
            reloadable = true)
        ByteSize maxItem,
    @Key(
            doc =
                "Items of one request that are read from the store at the same time. More than"
                    + " upstream.pool.max-connections only wait there.",
            defaultValue = "128",
            min = "1",
            max = "4096",
            reloadable = true)
        int readsInFlight,
    @Key(
            doc = "Whole batches that one request reads ahead of what its client has taken.",
            defaultValue = "2",
            min = "1",
            max = "64",
            reloadable = true)
        int batchesAhead,
    @Key(
            doc =
                "Batch and epoch requests of one tenant at the same time; one more is answered 503.",
            defaultValue = "64",
            min = "1",
            max = "100000",
            reloadable = true)
        int maxRunsPerTenant,
    @Key(
            doc =
                "A client that takes nothing (less than 256 KiB) of its stream for this time is cut"
                    + " off. listen.s3.read-timeout holds as well.",
            defaultValue = "60s",
            min = "100ms",
            max = "1h",
            reloadable = true)
        Duration writeDeadline,
    @Key(
            doc =
                "A stream that waits so long for memory, with nothing on its way to the client, ends"
                    + " with SlowDown and gives back what it holds.",
            defaultValue = "30s",
            min = "100ms",
            max = "1h",
            reloadable = true)
        Duration memoryDeadline,
    @Key(
            doc = "Most pixels (width times height) of a picture that is decoded.",
            defaultValue = "100000000",
            min = "1",
            max = "1000000000",
            reloadable = true)
        int maxPixels,
    @Key(
            doc = "Most bytes that a compressed object may unpack to.",
            defaultValue = "1GiB",
            min = "1KiB",
            max = "4GiB",
            reloadable = true)
        ByteSize maxExpanded,
    @Key(doc = "Batches that land in a ring in the shared memory of this machine.")
        RingConfig ring) {

  /** Landing in shared memory. */
  public record RingConfig(
      @Key(
              doc =
                  "Who may ask for it: local (clients on this machine, by their address), any, none."
                      + " Whoever may lets the gateway write into rings that its own user has"
                      + " created; behind a proxy on this machine every client looks local.",
              defaultValue = "local",
              reloadable = true)
          Peers peers,
      @Key(
              doc =
                  "The folder of the rings, as the sink was told. If left out:"
                      + " /dev/shm/penstock-UID, of the gateway's user.",
              example = "/dev/shm/penstock-1000",
              pattern = "/.*",
              expected = "a path that begins with /",
              reloadable = true)
          Optional<String> directory,
      @Key(
              doc =
                  "A consumer of a ring that is full, and that releases nothing for this time, is cut"
                      + " off; a stream that nobody is left to read ends.",
              defaultValue = "60s",
              min = "100ms",
              max = "1h",
              reloadable = true)
          Duration consumerDeadline) {

    /** Which clients may name a ring. */
    public enum Peers {
      LOCAL,
      ANY,
      NONE
    }
  }
}
