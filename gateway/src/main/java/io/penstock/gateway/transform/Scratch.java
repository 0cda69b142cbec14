package io.penstock.gateway.transform;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One place for a decoded sample for each thread that computes, as large as the largest input of
 * the models in use. Charged for all threads before any of them may use it, and kept.
 *
 * <p>Threading: any thread.
 *
 * <p>Ownership: a place is the caller's from {@link #take} to {@link #giveBack}.
 */
final class Scratch {
  private static final long ALIGNMENT = 64;

  private final MemoryBudget budget;
  private final int threads;
  private final Deque<MemorySegment> idle = new ArrayDeque<>();
  private @Nullable Reservation reservation;
  private long bytes;

  Scratch(MemoryBudget budget, int threads) {
    this.budget = budget;
    this.threads = threads;
  }

  /**
   * Makes room for samples of {@code wanted} bytes.
   *
   * @throws S3Exception SlowDown if memory is short
   */
  synchronized void ensure(long wanted) {
    long rounded = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded <= bytes) {
      return;
    }
    // smaller places are not used again, and go when they are collected: both are charged
    long more = Math.multiplyExact(rounded, (long) threads);
    boolean charged;
    if (reservation == null) {
      Optional<Reservation> first =
          budget.tryReserve(new MemoryClaim(MemoryArea.MODELS, more, "samples to compute"));
      first.ifPresent(it -> reservation = it);
      charged = first.isPresent();
    } else {
      charged = reservation.tryGrow(more);
    }
    if (!charged) {
      throw new S3Exception(
          S3Error.SLOW_DOWN,
          "This gateway's memory for models is taken (runtime.memory-budget): try later.",
          Optional.of(Duration.ofSeconds(1)));
    }
    bytes = rounded;
  }

  /** A place of at least {@code length} bytes, for which room was made before. */
  synchronized MemorySegment take(long length) {
    MemorySegment place = idle.poll();
    while (place != null && place.byteSize() < bytes) {
      place = idle.poll();
    }
    if (length > bytes) {
      throw new IllegalArgumentException("no room was made for " + length + " bytes");
    }
    return place == null ? Arena.ofAuto().allocate(bytes, ALIGNMENT) : place;
  }

  /** Whoever took it is done. */
  synchronized void giveBack(MemorySegment place) {
    idle.push(place);
  }
}
