package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Memory for models: what is not free is taken from sessions that nobody uses.
 *
 * <p>Threading: any thread.
 *
 * @param evict closes the session that has been idle longest; false if all are in use
 */
record ModelMemory(MemoryBudget budget, BooleanSupplier evict) {

  /**
   * Reserves.
   *
   * @throws ModelException {@link Reason#NO_MEMORY} while sessions in use hold it, {@link
   *     Reason#REFUSED} if it could never be had
   */
  Reservation reserve(MemoryClaim claim) {
    long ceiling = budget.usage(MemoryArea.MODELS).limit();
    if (claim.bytes() > ceiling) {
      throw ModelException.refused(
          claim.owner()
              + " needs "
              + claim.bytes()
              + " bytes, models may have "
              + ceiling
              + " at most: raise runtime.memory-budget, or use a smaller model or an earlier split");
    }
    while (true) {
      Optional<Reservation> reservation = budget.tryReserve(claim);
      if (reservation.isPresent()) {
        return reservation.get();
      }
      if (!evict.getAsBoolean()) {
        throw new ModelException(
            Reason.NO_MEMORY,
            claim.owner()
                + " needs "
                + claim.bytes()
                + " bytes, which others hold just now: try again");
      }
    }
  }
}
