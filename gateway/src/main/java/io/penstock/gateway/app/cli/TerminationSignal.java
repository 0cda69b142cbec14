package io.penstock.gateway.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SIGTERM and Ctrl-C as something a command can wait for. Without it the JVM ends with 143 or 130
 * as soon as its shutdown hooks have run; with it the command finishes in order and chooses the
 * exit code.
 *
 * <p>Threading: one command waits, on the main thread; the signal arrives on a thread of the JVM,
 * which then waits for {@link #exit}.
 */
final class TerminationSignal {
  private static final AtomicBoolean RECEIVED = new AtomicBoolean();

  private TerminationSignal() {}

  /** Returns after the first signal; only {@link #exit} can end the JVM from then on. */
  static void await() throws InterruptedException {
    var received = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              RECEIVED.set(true);
              received.countDown();
              waitForExit();
            },
            "termination-signal");
    Runtime.getRuntime().addShutdownHook(hook);
    received.await();
  }

  /** Ends the JVM with this code, signalled or not. */
  static void exit(int code) {
    System.out.flush();
    System.err.flush();
    if (RECEIVED.get()) {
      // the JVM is already shutting down and would ignore the code given to System.exit
      Runtime.getRuntime().halt(code);
    }
    System.exit(code);
  }

  private static void waitForExit() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
