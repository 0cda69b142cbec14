package io.penstock.dpu.memory;

/** A claim that could never be granted, however long it waited. Not retryable. */
public final class BudgetExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BudgetExceededException(MemoryClaim claim, long limit) {
    super(
        claim.owner()
            + " asks for "
            + claim.bytes()
            + " bytes of "
            + claim.area()
            + ", which can never hold more than "
            + limit
            + " for it: ask for less, or raise runtime.memory-budget");
  }
}
