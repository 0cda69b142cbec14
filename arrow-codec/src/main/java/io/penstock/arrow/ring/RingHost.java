package io.penstock.arrow.ring;

import java.util.function.LongSupplier;

/**
 * What a ring asks of the machine.
 *
 * @param self the process that this is
 * @param nanos {@code CLOCK_MONOTONIC}, which all processes of a machine share
 * @param waits how a thread sleeps until a word changes
 */
public record RingHost(
    ProcessTable.Identity self, ProcessTable processes, LongSupplier nanos, WordWait waits) {

  /**
   * This process on this Linux.
   *
   * @param nanos {@code System::nanoTime}
   */
  public static RingHost linux(LongSupplier nanos) {
    return new RingHost(ProcessTable.self(), ProcessTable.proc(), nanos, WordWait.best());
  }

  boolean lives(ProcessTable.Identity process) {
    return processes.lives(process);
  }

  long millis() {
    return nanos.getAsLong() / 1_000_000;
  }
}
