package io.penstock.loadtest.record;

/** What has happened up to some moment; the difference of two says what happened in between. */
public record Counters(long completed, long bytes, long errors) {
  public static final Counters NONE = new Counters(0, 0, 0);

  public Counters plus(Counters other) {
    return new Counters(completed + other.completed, bytes + other.bytes, errors + other.errors);
  }

  public Counters minus(Counters other) {
    return new Counters(completed - other.completed, bytes - other.bytes, errors - other.errors);
  }
}
