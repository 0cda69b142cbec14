package io.penstock.gateway.batch;

import io.penstock.arrow.tensor.TensorColumn;
import io.penstock.arrow.wire.LabelType;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The batches in the making, in the order in which they are sent, and the way of an item to its
 * row. A batch is there from the start of its first item on.
 *
 * <p>Threading: the event loop.
 *
 * <p>Ownership: of every batch, until it is taken or discarded.
 */
final class Lineup {
  private final RunPlan plan;
  private final DecodeChoice choice;
  private final LabelType labels;
  private final RunMemory memory;
  private final TensorAssembly.Threads threads;
  private final Deque<Assembly> batches = new ArrayDeque<>();
  private long begun;
  private long taken;
  private long arrived;

  Lineup(RunPlan plan, DecodeChoice choice, RunMemory memory, TensorAssembly.Threads threads) {
    this.plan = plan;
    this.choice = choice;
    this.labels = plan.items().labelType();
    this.memory = memory;
    this.threads = threads;
  }

  /** Bytes to claim for the batch that an item begins; 0 if it begins none, or costs nothing. */
  long cost(long sequence) {
    if (sequence < begun * plan.batchSize()) {
      return 0;
    }
    return switch (choice) {
      case DecodeChoice.Raw _, DecodeChoice.Tables _ -> 0;
      case DecodeChoice.Tensors(var decoder) ->
          ClaimedBlocks.cost(
              Math.multiplyExact(decoder.tensor().bytesPerSample(), (long) plan.rows(begun)));
    };
  }

  /** Begins the batch of an item, if it is its first, with what was claimed for it. */
  void begin(long sequence, long claimed) {
    if (sequence < begun * plan.batchSize()) {
      return;
    }
    int rows = plan.rows(begun);
    begun++;
    switch (choice) {
      case DecodeChoice.Raw _ -> batches.add(new RawAssembly(rows, labels));
      case DecodeChoice.Tables(var decoder, var shape) ->
          batches.add(
              new TableAssembly(rows, labels, new TableAssembly.Setting(decoder, shape, memory)));
      case DecodeChoice.Tensors(var decoder) -> {
        try (ClaimedBlocks blocks = new ClaimedBlocks(memory, claimed)) {
          TensorColumn column = new TensorColumn(decoder.tensor(), rows, blocks);
          batches.add(new TensorAssembly(column, labels, decoder, threads));
        }
      }
    }
  }

  /** Puts an outcome to its row. */
  void put(PlannedItem item, ItemOutcome outcome, Runnable progressed) {
    long place = plan.strict() ? item.sequence() : arrived;
    arrived++;
    int batch = Math.toIntExact(place / plan.batchSize() - taken);
    Assembly assembly = batches.stream().skip(batch).findFirst().orElseThrow();
    assembly.put((int) (place % plan.batchSize()), item, outcome, progressed);
  }

  /** Whether the next batch may be sent. */
  boolean isReady() {
    Assembly first = batches.peek();
    return first != null && first.isComplete();
  }

  /** The next batch, which stays here until it is taken. */
  Assembly first() {
    return batches.getFirst();
  }

  /** Hands the next batch over. */
  Assembly take() {
    taken++;
    return batches.remove();
  }

  void discard() {
    batches.forEach(Assembly::discard);
    batches.clear();
  }
}
