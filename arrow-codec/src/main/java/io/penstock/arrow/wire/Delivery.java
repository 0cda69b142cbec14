package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.tensor.TensorField;

/**
 * How the batches come.
 *
 * @param batchSize items a batch; the last one may be shorter
 * @param tensors how tensor columns are declared
 */
public record Delivery(
    int batchSize,
    Order order,
    OnError onError,
    Compression compression,
    TensorField.Form tensors,
    Landing landing) {

  /** Which item comes first. */
  public enum Order {
    /** As asked for. */
    STRICT,
    /** As they arrive; the column {@code index} says which is which. */
    AS_READY
  }

  /** What an item that cannot be had does to the others. */
  public enum OnError {
    /** It ends the stream with its error. */
    FAIL,
    /** It is a row without payload. */
    CONTINUE
  }

  /** Where the batches go. */
  public sealed interface Landing {
    /** Into the response. */
    record Response() implements Landing {}

    /**
     * Into the shared-memory ring of a sink on the same host; the response tells what lies where.
     */
    record Ring(String name) implements Landing {}
  }
}
