package io.penstock.loadtest.lab.plan;

/**
 * How the three places are joined: host - DPU - store, one link each. What a host asks of the store
 * itself is routed through the DPU's namespace and so crosses the same links as what the gateway
 * fetches for it.
 *
 * @param hostToDpu between training host and DPU, each way
 * @param dpuToStore between DPU and store, each way
 */
public record Topology(Rate hostToDpu, Rate dpuToStore) {
  /** A host's PCIe or NIC before a slower network to the store. */
  public static final Topology DATACENTRE =
      new Topology(Rate.ofMegabits(20_000), Rate.ofMegabits(10_000));

  public static final String HOST_ADDRESS = "10.77.1.1";
  public static final String DPU_ADDRESS = "10.77.1.2";
  public static final String DPU_STORE_ADDRESS = "10.77.2.1";
  public static final String STORE_ADDRESS = "10.77.2.2";

  /** Where a process runs. */
  public enum Place {
    HOST,
    DPU,
    STORE;

    /** In names of namespaces. */
    public String lower() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * A link's rate.
   *
   * @param megabits per second, 1 or more
   */
  public record Rate(long megabits) {
    private static final long LEAST_BURST = 256 << 10;
    private static final long BURSTS_PER_SECOND = 250;

    public Rate {
      if (megabits < 1) {
        throw new IllegalArgumentException("a link has 1 Mbit/s or more, not " + megabits);
      }
    }

    public static Rate ofMegabits(long megabits) {
      return new Rate(megabits);
    }

    /**
     * The bucket of tc-tbf(8) in bytes: what arrives in one timer tick at this rate, and never less
     * than four of the largest segments that the kernel hands over at once.
     */
    public long burst() {
      return Math.max(LEAST_BURST, megabits * 1_000_000 / 8 / BURSTS_PER_SECOND);
    }

    /** As tc writes it. */
    public String text() {
      return megabits + "mbit";
    }
  }
}
