package io.penstock.gateway.batch;

/**
 * Passes on what happens in one stream, and counts what its client takes while something is ready
 * for it.
 *
 * <p>Threading: as {@link BatchObserver}; {@link #taken} on the event loop only.
 */
final class TakenBytes implements BatchObserver {
  private final BatchObserver next;
  private long bytes;
  private long nanos;

  TakenBytes(BatchObserver next) {
    this.next = next;
  }

  long bytes() {
    return bytes;
  }

  double seconds() {
    return nanos * 1e-9;
  }

  @Override
  public void taken(long payload, long time) {
    bytes += payload;
    nanos += time;
    next.taken(payload, time);
  }

  @Override
  public void batch(long payload, int present, int missing) {
    next.batch(payload, present, missing);
  }

  @Override
  public void failed(String code) {
    next.failed(code);
  }

  @Override
  public void decoded(long time) {
    next.decoded(time);
  }

  @Override
  public void waited() {
    next.waited();
  }

  @Override
  public void cutOff() {
    next.cutOff();
  }

  @Override
  public void started() {
    next.started();
  }

  @Override
  public void ended() {
    next.ended();
  }
}
