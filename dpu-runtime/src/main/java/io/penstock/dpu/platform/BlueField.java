package io.penstock.dpu.platform;

/** Generations of NVIDIA's data processing unit. */
public enum BlueField {
  BLUEFIELD_1("BlueField-1"),
  BLUEFIELD_2("BlueField-2"),
  BLUEFIELD_3("BlueField-3"),
  /** Surely one of them, but no file tells which. */
  UNKNOWN_GENERATION("BlueField");

  private final String label;

  BlueField(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
