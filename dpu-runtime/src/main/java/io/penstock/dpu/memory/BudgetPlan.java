package io.penstock.dpu.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How large the memory budget is, and why. A pure function of what the JVM and the container allow.
 *
 * <p>What is charged to the budget comes out of Netty's direct memory, so that limit is hard. The
 * budget takes three quarters of it: the rest is for what is not charged byte by byte (request
 * heads, TLS records, half-filled chunks of the pool). The container (or the machine) also has to
 * hold the heap and what the JVM needs besides (code, metaspace, stacks, the collector), counted as
 * a sixteenth of it, at least 96 MiB; if the direct limit does not fit into what is left, the
 * budget is three quarters of what is left.
 *
 * @param total bytes
 * @param reason which of the limits decided, for people
 * @param warnings what an operator should change, in full sentences
 */
public record BudgetPlan(long total, String reason, List<String> warnings) {
  private static final long MIB = 1 << 20;
  private static final long LEAST = 16 * MIB;

  /**
   * What the budget is derived from, in bytes.
   *
   * @param configured {@code runtime.memory-budget}, empty if not set
   * @param directLimit what Netty may allocate at most
   * @param heapLimit the largest heap
   * @param machine the container's memory, or the machine's if less or not limited; 0 if unknown
   */
  public record Basis(OptionalLong configured, long directLimit, long heapLimit, long machine) {
    private long besideHeap() {
      return machine == 0
          ? Long.MAX_VALUE
          : Math.max(0, machine - heapLimit - Math.max(96 * MIB, machine / 16));
    }
  }

  public BudgetPlan {
    warnings = List.copyOf(warnings);
  }

  /**
   * Derives the plan.
   *
   * @throws IllegalArgumentException if the configured budget is more than Netty may allocate, or
   *     not more than zero: the message says what to change
   */
  public static BudgetPlan derive(Basis basis) {
    return basis.configured().isPresent()
        ? configured(basis.configured().getAsLong(), basis)
        : derived(basis);
  }

  private static BudgetPlan configured(long total, Basis basis) {
    if (total <= 0) {
      throw new IllegalArgumentException("runtime.memory-budget must be more than 0 bytes");
    }
    if (total > basis.directLimit()) {
      throw new IllegalArgumentException(
          "runtime.memory-budget is "
              + mib(total)
              + ", but the JVM may only take "
              + mib(basis.directLimit())
              + " of direct memory: start it with -XX:MaxDirectMemorySize="
              + (threeQuartersOf(total) + MIB - 1) / MIB
              + "m or more, or lower the budget");
    }
    List<String> warnings = new ArrayList<>();
    if (total > threeQuarters(basis.directLimit())) {
      warnings.add(
          "runtime.memory-budget of "
              + mib(total)
              + " leaves less than a quarter of the direct memory ("
              + mib(basis.directLimit())
              + ") for what is not charged to it: raise -XX:MaxDirectMemorySize");
    }
    if (total > basis.besideHeap()) {
      warnings.add(tooLittleMemory("runtime.memory-budget of " + mib(total), basis));
    }
    return new BudgetPlan(total, "runtime.memory-budget", warnings);
  }

  private static BudgetPlan derived(Basis basis) {
    long room = basis.besideHeap();
    boolean direct = basis.directLimit() <= room;
    long total = threeQuarters(direct ? basis.directLimit() : room);
    String reason =
        direct
            ? "three quarters of the direct memory (" + mib(basis.directLimit()) + ")"
            : "three quarters of what the heap leaves of " + mib(basis.machine());
    if (total >= LEAST) {
      return new BudgetPlan(total, reason, List.of());
    }
    long least = Math.min(LEAST, basis.directLimit());
    return new BudgetPlan(
        least,
        "the least that is of use",
        List.of(tooLittleMemory("a memory budget of " + mib(least), basis)));
  }

  private static String tooLittleMemory(String budget, Basis basis) {
    return budget
        + " and a heap of "
        + mib(basis.heapLimit())
        + " may be more than "
        + mib(basis.machine())
        + " of memory can hold: lower -Xmx or raise the container's limit";
  }

  private static long threeQuarters(long bytes) {
    return bytes / 4 * 3;
  }

  private static long threeQuartersOf(long total) {
    return total / 3 * 4;
  }

  private static String mib(long bytes) {
    return bytes / MIB + " MiB";
  }
}
