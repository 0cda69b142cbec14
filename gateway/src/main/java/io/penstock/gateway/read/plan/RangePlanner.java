package io.penstock.gateway.read.plan;

/**
 * Says over how many connections an object is read, and in parts of which size. A fan-out is tried
 * only if one connection has been measured to be the limit, and goes on only while it pays:
 *
 * <ul>
 *   <li><b>One.</b> Every round that was not the client's fault (it took nothing for less than
 *       {@link #CLIENT_BOUND} of the time) and as fast as the one before (no slow start any more)
 *       leads to a trial, if {@link FanOutLimits#minRemaining} and {@link #PARTS_LEFT} parts are
 *       left, and if a part of the largest size would last {@link #SHORTEST_PART}: faster
 *       connections are no limit worth the trouble.
 *   <li><b>Trial.</b> A second connection reads one part further on. Together they must bring
 *       {@link #TRIAL_GAIN} times the single rate. If not, nothing is lost but that part, and the
 *       next trial comes when {@link #TRIAL_DISTANCE} times as much has been read.
 *   <li><b>Growing.</b> With {@code gain = rate / before} and {@code ideal = width / widthBefore}
 *       the step has paid {@code (gain - 1) / (ideal - 1)} of what it could. From {@link
 *       #WORTHWHILE} on it stands and the width doubles; from {@link #SPLENDID} on it quadruples.
 *       Below, the width before is taken again.
 *   <li><b>Settled.</b> Every {@link #CALM_ROUNDS} rounds one more step is tried. If the rate falls
 *       below {@link #LEAST_GAIN} times the single rate, or if the client is behind and lets as
 *       many complete parts wait as there are connections, half of the connections are enough.
 * </ul>
 *
 * <p>Threading: immutable.
 */
public final class RangePlanner {
  static final double CLIENT_BOUND = 0.2;
  static final double STEADY = 1.25;
  static final double TRIAL_GAIN = 1.5;
  static final double SPLENDID = 0.8;
  static final double WORTHWHILE = 0.3;
  static final double LEAST_GAIN = 1.2;
  static final int PARTS_LEFT = 16;
  static final int TRIAL_DISTANCE = 4;
  static final int CALM_ROUNDS = 16;

  /** Seconds; a shorter part spends too much of its time on asking. */
  static final double SHORTEST_PART = 0.05;

  /** A part lasts at least as many latencies, so that a connection waits a fifth of its time. */
  static final int LATENCIES_A_PART = 4;

  private static final long MILLI = 1_000_000;
  private static final double NANOS = 1e9;

  private final FanOutLimits limits;

  public RangePlanner(FanOutLimits limits) {
    this.limits = limits;
  }

  public Growth begin() {
    return new Growth.One(0, 0);
  }

  /**
   * The size of a part.
   *
   * @param bytesPerSecond what one connection brings
   */
  public long partBytes(double bytesPerSecond, long latencyNanos) {
    double seconds = Math.max(SHORTEST_PART, LATENCIES_A_PART * latencyNanos / NANOS);
    long wanted = (long) Math.ceil(bytesPerSecond * seconds);
    return Math.clamp(wanted, limits.minPart(), limits.maxPart());
  }

  /** How long the next round is, in nanoseconds. */
  public long roundNanos(Growth growth, long latencyNanos, long partBytes) {
    return switch (growth) {
      case Growth.One _, Growth.Trial _ -> Math.max(50 * MILLI, 2 * latencyNanos);
      case Growth.Growing growing -> cycle(growing.single(), latencyNanos, partBytes);
      case Growth.Settled settled -> 2 * cycle(settled.single(), latencyNanos, partBytes);
    };
  }

  /** The time in which every connection asks for one part and gets it. */
  private static long cycle(double single, long latencyNanos, long partBytes) {
    return Math.max(100 * MILLI, latencyNanos + (long) (partBytes / Math.max(1, single) * NANOS));
  }

  /** How it goes on after a round. */
  public Growth after(Growth growth, Round round, long latencyNanos) {
    if (!(growth instanceof Growth.One) && isHeldUp(round, growth.width())) {
      return growth;
    }
    return switch (growth) {
      case Growth.One one -> afterOne(one, round, latencyNanos);
      case Growth.Trial trial -> afterTrial(trial, round);
      case Growth.Growing growing -> afterGrowing(growing, round);
      case Growth.Settled settled -> afterSettled(settled, round);
    };
  }

  /** How it goes on after the store refused a part. */
  public Growth refused(Growth growth, long position) {
    return switch (growth) {
      case Growth.One one -> one;
      case Growth.Trial trial -> alone(trial.single(), position);
      case Growth.Growing growing -> narrower(growing.single(), growing.width(), position, 0);
      case Growth.Settled settled ->
          narrower(settled.single(), settled.width(), position, settled.rate());
    };
  }

  private Growth afterOne(Growth.One one, Round round, long latencyNanos) {
    double rate = round.bytesPerSecond();
    long part = partBytes(rate, latencyNanos);
    boolean steady = one.rate() > 0 && rate <= one.rate() * STEADY;
    boolean limiting = rate > 0 && rate * SHORTEST_PART <= limits.maxPart();
    boolean enough =
        round.remaining() >= limits.minRemaining() && round.remaining() >= PARTS_LEFT * part;
    boolean trial =
        steady
            && limiting
            && enough
            && round.pausedShare() < CLIENT_BOUND
            && round.position() >= one.notBefore();
    return trial ? new Growth.Trial(rate) : new Growth.One(rate, one.notBefore());
  }

  private Growth afterTrial(Growth.Trial trial, Round round) {
    double gain = round.bytesPerSecond() / trial.single();
    if (gain < TRIAL_GAIN || round.pausedShare() >= CLIENT_BOUND) {
      return alone(trial.single(), round.position());
    }
    return grown(trial.single(), 2, round, gain - 1);
  }

  private Growth afterGrowing(Growth.Growing growing, Round round) {
    double gain = round.bytesPerSecond() / growing.before();
    double ideal = growing.width() / (double) growing.widthBefore();
    double paid = (gain - 1) / (ideal - 1);
    if (isClientBound(round, growing.width())) {
      return narrower(growing.single(), growing.width(), round.position(), round.bytesPerSecond());
    }
    if (paid >= WORTHWHILE) {
      return grown(growing.single(), growing.width(), round, paid);
    }
    return settled(growing.single(), growing.widthBefore(), round, growing.before());
  }

  private Growth afterSettled(Growth.Settled settled, Round round) {
    if (isClientBound(round, settled.width())) {
      return narrower(settled.single(), settled.width(), round.position(), round.bytesPerSecond());
    }
    boolean wider =
        settled.rounds() >= CALM_ROUNDS
            && settled.width() < limits.connections()
            && !round.shortOfRoom();
    if (wider) {
      return grown(settled.single(), settled.width(), round, WORTHWHILE);
    }
    double rate = round.bytesPerSecond();
    return rate < LEAST_GAIN * settled.single()
        ? narrower(settled.single(), settled.width(), round.position(), rate)
        : new Growth.Settled(settled.single(), settled.width(), rate, settled.rounds() + 1);
  }

  private static boolean isClientBound(Round round, int width) {
    return round.completeParts() >= width && round.pausedShare() >= CLIENT_BOUND;
  }

  /** Everybody waits for the part whose turn it is, which says nothing about the width. */
  private static boolean isHeldUp(Round round, int width) {
    return round.completeParts() >= width && round.pausedShare() < CLIENT_BOUND;
  }

  private Growth grown(double single, int width, Round round, double paid) {
    int wanted = width * (paid >= SPLENDID ? 4 : 2);
    int next = Math.min(wanted, limits.connections());
    if (next <= width || round.shortOfRoom()) {
      return settled(single, width, round, round.bytesPerSecond());
    }
    return new Growth.Growing(single, width, round.bytesPerSecond(), next);
  }

  private Growth settled(double single, int width, Round round, double rate) {
    return rate < LEAST_GAIN * single
        ? alone(single, round.position())
        : new Growth.Settled(single, width, rate, 0);
  }

  private Growth narrower(double single, int width, long position, double rate) {
    return width / 2 < 2 ? alone(single, position) : new Growth.Settled(single, width / 2, rate, 0);
  }

  private static Growth alone(double single, long position) {
    return new Growth.One(single, TRIAL_DISTANCE * position);
  }
}
