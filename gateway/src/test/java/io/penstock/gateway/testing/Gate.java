package io.penstock.gateway.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds one thread up until another opens it. */
public final class Gate {
  /** Longer than anything a test waits for; only a failing test gets here. */
  public static final Duration PATIENCE = Duration.ofSeconds(20);

  private final CountDownLatch latch = new CountDownLatch(1);

  public void open() {
    latch.countDown();
  }

  public void await() throws InterruptedException {
    if (!latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("nobody opened the gate");
    }
  }
}
