package io.penstock.dpu.transform.split;

/**
 * What an epoch would take with one split.
 *
 * @param seconds E(s)
 * @param bound what an epoch waits for most
 */
public record Estimate(Candidate candidate, double seconds, Bound bound) {

  /** The stage that sets the pace. */
  public enum Bound {
    STORE("reading from the store"),
    COMPUTE("the gateway's cores"),
    LINK("the link to the consumer"),
    CONSUMER("the consumer");

    private final String words;

    Bound(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }

  /**
   * Predicts an epoch of N samples in batches of B, after HAPI (SoCC 2024, arXiv 2210.08650):
   *
   * <pre>E(s) = T_first + [max(T_stream, T_train) + T_np] * (N/B - 1) + T_np + T_train</pre>
   *
   * HAPI's server reads, computes and sends one after another, so its T_stream is a sum. This
   * gateway reads ahead, item by item, and sends whole batches: T_first is the slower of reading
   * and computing, and then sending; from then on T_stream is the slowest of the three.
   */
  static Estimate of(Candidate candidate, Surroundings around) {
    Surroundings.Work work = around.work();
    double batch = Math.min(work.batch(), work.samples());
    double read = batch * work.objectBytes() / around.links().store();
    double compute = batch * candidate.near().seconds() / around.threads();
    double send = batch * candidate.bytes() / around.links().client();
    double train = batch * candidate.far().seconds();
    double serial = batch * candidate.far().serialSeconds();
    double stream = Math.max(read, Math.max(compute, send));
    double pace = Math.max(stream, train) + serial;
    double first = Math.max(read, compute) + send;
    double seconds = first + pace * (work.samples() / batch - 1) + serial + train;
    Bound bound;
    if (train + serial >= stream) {
      bound = Bound.CONSUMER;
    } else if (send >= stream) {
      bound = Bound.LINK;
    } else {
      bound = compute >= read ? Bound.COMPUTE : Bound.STORE;
    }
    return new Estimate(candidate, seconds, bound);
  }

  Split split() {
    return candidate.split();
  }

  /** One line for people. */
  @Override
  public String toString() {
    return "%s: %.3g s an epoch, %d bytes a sample, bound by %s"
        .formatted(split().label(), seconds, candidate.bytes(), bound.words());
  }
}
