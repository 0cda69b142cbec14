package io.penstock.dpu.transform.split;

import java.util.ArrayList;
import java.util.List;

/**
 * A network as a chain of layers between its cuts, with what each costs.
 *
 * @param frozen how many of the layers, from the first, are frozen; only they may be pushed down
 */
public record NetworkProfile(List<Layer> layers, int frozen) {

  /**
   * What lies between two cuts.
   *
   * @param cut name of the cut behind it
   * @param seconds of one thread of the gateway, forward, for a sample
   * @param outputBytes of a sample at the cut
   * @param workBytes the most memory that one operation of it reads and writes, for a sample
   * @param weightBytes of its parameters
   */
  public record Layer(
      String cut, double seconds, long outputBytes, long workBytes, long weightBytes) {
    public Layer {
      Checks.notNegative("seconds", seconds);
      Checks.notNegative("outputBytes", outputBytes);
      Checks.notNegative("workBytes", workBytes);
      Checks.notNegative("weightBytes", weightBytes);
    }
  }

  /**
   * The objects.
   *
   * @param objectBytes an average one as it is stored
   * @param pixelBytes a decoded sample
   * @param decodeSeconds of one thread of the gateway, for a sample
   */
  public record Source(long objectBytes, long pixelBytes, double decodeSeconds) {}

  /**
   * The consumer.
   *
   * @param speed how many threads of the gateway its training is worth
   * @param decodeSeconds its decoding of a sample, all its threads together
   * @param secondsPerByte what it does with a received byte while nothing else happens
   */
  public record Consumer(double speed, double decodeSeconds, double secondsPerByte) {
    /** Backward costs about twice forward: gradients of inputs and of weights. */
    static final double BACKWARD = 2;

    public Consumer {
      Checks.positive("speed", speed);
      Checks.notNegative("decodeSeconds", decodeSeconds);
      Checks.notNegative("secondsPerByte", secondsPerByte);
    }
  }

  public NetworkProfile {
    layers = List.copyOf(layers);
    if (frozen < 0 || frozen > layers.size()) {
      throw new IllegalArgumentException(
          "frozen must be 0 to %d, not %d".formatted(layers.size(), frozen));
    }
  }

  /** Every way to split: raw objects, pixels, and behind each frozen layer. */
  public List<Candidate> candidates(Source source, Consumer consumer) {
    double whole = trainSeconds(0, consumer);
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(
        new Candidate(
            new Split.Raw(),
            source.objectBytes(),
            new Candidate.Near(0, 0, 0),
            new Candidate.Far(
                Math.max(whole, consumer.decodeSeconds()),
                source.objectBytes() * consumer.secondsPerByte())));
    candidates.add(
        new Candidate(
            new Split.Pixels(),
            source.pixelBytes(),
            new Candidate.Near(source.decodeSeconds(), 0, source.pixelBytes()),
            new Candidate.Far(whole, source.pixelBytes() * consumer.secondsPerByte())));
    double seconds = source.decodeSeconds();
    long weights = 0;
    long work = source.pixelBytes();
    for (int i = 0; i < frozen; i++) {
      Layer layer = layers.get(i);
      seconds += layer.seconds();
      weights += layer.weightBytes();
      work = Math.max(work, layer.workBytes());
      candidates.add(
          new Candidate(
              new Split.After(layer.cut()),
              layer.outputBytes(),
              new Candidate.Near(seconds, weights, source.pixelBytes() + work),
              new Candidate.Far(
                  trainSeconds(i + 1, consumer), layer.outputBytes() * consumer.secondsPerByte())));
    }
    return candidates;
  }

  /** Forward from layer {@code from} on and backward through what is trained, for a sample. */
  public double trainSeconds(int from, Consumer consumer) {
    double seconds = 0;
    for (int i = from; i < layers.size(); i++) {
      seconds += layers.get(i).seconds() * (i < frozen ? 1 : 1 + Consumer.BACKWARD);
    }
    return seconds / consumer.speed();
  }
}
