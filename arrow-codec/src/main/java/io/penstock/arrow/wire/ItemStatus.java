package io.penstock.arrow.wire;

/** What became of one item. A failed item is a row without payload; it does not fail the batch. */
public sealed interface ItemStatus {
  /** The HTTP status that the item would have had if it had been asked for alone. */
  int http();

  /** The payload is there. */
  record Ok() implements ItemStatus {
    @Override
    public int http() {
      return 200;
    }
  }

  /**
   * There is no payload, and this is why.
   *
   * @param http 400 to 599
   * @param code an S3 error code, or one of the codes of decoding in docs/batch-protocol.md
   * @param message says what happened and, where that is not plain, what to do
   */
  record Failed(int http, String code, String message) implements ItemStatus {
    /**
     * @throws IllegalArgumentException if {@code http} is no status of an error
     */
    public Failed {
      if (http < 400 || http > 599) {
        throw new IllegalArgumentException("status " + http + " is none of an error");
      }
    }
  }

  /** The one value of {@link Ok}. */
  Ok OK = new Ok();
}
