package io.penstock.dpu.transform.split;

import java.util.Random;

/**
 * One epoch through store, gateway, link and consumer, event by event; knows nothing of E(s).
 * Samples travel in chunks; another tenant's work comes in between on the gateway's cores; every
 * chunk takes a little longer or shorter than on average; the gateway is at most {@link #AHEAD}
 * batches ahead of the consumer, who takes a batch when it is whole, deserialises it while nothing
 * else of its own happens, and decodes objects with its workers while it trains.
 */
final class EpochModel {
  static final int AHEAD = 3;
  static final int THREADS = 8;
  static final double FOREIGN_LOAD = 0.25;
  private static final int CHUNK = 8;
  private static final int HOST_WORKERS = 8;

  /**
   * What really happens.
   *
   * @param store bytes a second
   * @param client bytes a second
   */
  record Truth(double store, double client, int batch, int batches, long objectBytes) {}

  private final Truth truth;
  private final Candidate candidate;
  private final double hostDecodeSeconds;
  private final double trainSeconds;
  private final Random random;
  private final EventQueue events = new EventQueue();
  private final EventQueue.Server store = events.new Server(1);
  private final EventQueue.Server cores = events.new Server(THREADS);
  private final EventQueue.Server link = events.new Server(1);
  private final EventQueue.Server host = events.new Server(HOST_WORKERS);
  private final int[] computed;
  private final int[] arrived;
  private final int[] ready;
  private int requested;
  private int trained;
  private boolean taking;
  private boolean training;
  private int taken;
  private boolean over;

  EpochModel(
      Truth truth, Candidate candidate, double trainSeconds, double hostDecodeSeconds, long seed) {
    this.truth = truth;
    this.candidate = candidate;
    this.trainSeconds = trainSeconds;
    this.hostDecodeSeconds = hostDecodeSeconds;
    this.random = new Random(seed);
    this.computed = new int[truth.batches()];
    this.arrived = new int[truth.batches()];
    this.ready = new int[truth.batches()];
  }

  /** Seconds until the last batch is trained, or {@code limit} if that is sooner. */
  double run(double limit) {
    foreign();
    ask();
    while (!over && events.now() < limit) {
      if (!events.step()) {
        throw new IllegalStateException("the epoch stands still");
      }
    }
    return Math.min(events.now(), limit);
  }

  private double jitter() {
    double sigma = 0.25;
    return Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
  }

  private void foreign() {
    double each = 0.03;
    double gap = each / (FOREIGN_LOAD * THREADS);
    events.after(
        -Math.log(1 - random.nextDouble()) * gap,
        () -> {
          cores.serve(each * jitter(), () -> {});
          foreign();
        });
  }

  private void ask() {
    while (requested < truth.batches() && requested < trained + AHEAD) {
      int batch = requested++;
      for (int i = 0; i < truth.batch(); i += CHUNK) {
        int samples = Math.min(CHUNK, truth.batch() - i);
        double seconds = samples * truth.objectBytes() / truth.store();
        store.serve(seconds * jitter(), () -> compute(batch, samples));
      }
    }
  }

  private void compute(int batch, int samples) {
    double seconds = samples * candidate.near().seconds();
    if (seconds == 0) {
      computed(batch, samples);
    } else {
      cores.serve(seconds * jitter(), () -> computed(batch, samples));
    }
  }

  /** A batch is sent when it is whole. */
  private void computed(int batch, int samples) {
    computed[batch] += samples;
    if (computed[batch] == truth.batch()) {
      for (int i = 0; i < truth.batch(); i += CHUNK) {
        send(batch, Math.min(CHUNK, truth.batch() - i));
      }
    }
  }

  private void send(int batch, int samples) {
    double seconds = samples * candidate.bytes() / truth.client();
    link.serve(
        seconds * jitter(),
        () -> {
          arrived[batch] += samples;
          take();
        });
  }

  private void take() {
    if (taking || taken == truth.batches() || arrived[taken] < truth.batch()) {
      return;
    }
    taking = true;
    int batch = taken;
    double seconds = truth.batch() * candidate.far().serialSeconds();
    events.after(
        seconds,
        () -> {
          taking = false;
          taken++;
          decode(batch);
          take();
        });
  }

  private void decode(int batch) {
    if (!(candidate.split() instanceof Split.Raw)) {
      ready[batch] = truth.batch();
      train();
      return;
    }
    for (int i = 0; i < truth.batch(); i += CHUNK) {
      int samples = Math.min(CHUNK, truth.batch() - i);
      host.serve(
          samples * hostDecodeSeconds * HOST_WORKERS * jitter(),
          () -> {
            ready[batch] += samples;
            train();
          });
    }
  }

  private void train() {
    if (training || trained == truth.batches() || ready[trained] < truth.batch()) {
      return;
    }
    training = true;
    events.after(
        truth.batch() * trainSeconds * jitter(),
        () -> {
          training = false;
          trained++;
          over = trained == truth.batches();
          ask();
          train();
        });
  }
}
