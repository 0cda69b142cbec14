package io.penstock.dpu.transform.store;

import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenPrefix;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** A session of the store in one borrower's hands. */
final class LentPrefix implements FrozenPrefix {
  private final Cut cut;
  private final StoredModel.Engine engine;
  private final Sessions.Lent lent;
  private final AtomicBoolean closed = new AtomicBoolean();

  LentPrefix(Cut cut, StoredModel.Engine engine, Sessions.Lent lent) {
    this.cut = cut;
    this.engine = engine;
    this.lent = lent;
  }

  @Override
  public Cut cut() {
    return cut;
  }

  @Override
  public void apply(MemorySegment input, int samples, MemorySegment output) {
    if (closed.get()) {
      throw new IllegalStateException("the part up to " + cut.name() + " was given back");
    }
    if (!engine.setup().mayBlock().getAsBoolean()) {
      throw new IllegalStateException(Thread.currentThread().getName() + " must not compute");
    }
    lent.session().apply(input, samples, output);
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      engine.sessions().giveBack(lent);
    }
  }
}
