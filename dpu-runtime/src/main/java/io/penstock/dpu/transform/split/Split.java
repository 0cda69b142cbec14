package io.penstock.dpu.transform.split;

/** What is sent of each sample. */
public sealed interface Split {

  /** The object as it is stored: no pushdown; the consumer decodes it. */
  record Raw() implements Split {
    @Override
    public String label() {
      return "raw";
    }
  }

  /** The decoded tensor, with no layer applied. */
  record Pixels() implements Split {
    @Override
    public String label() {
      return "pixels";
    }
  }

  /**
   * The activations at a cut.
   *
   * @param cut its name in the model
   */
  record After(String cut) implements Split {
    @Override
    public String label() {
      return cut;
    }
  }

  /** For people. */
  String label();
}
