package io.penstock.dpu.memory;

/** A place in the queue. */
public interface Ticket {
  /**
   * Leaves the queue. If the claim was granted but not yet delivered, its bytes go back.
   *
   * @return true if the callback has not run and never will; false if it has run or is running, in
   *     which case whoever it handed the reservation to closes it
   */
  boolean cancel();
}
