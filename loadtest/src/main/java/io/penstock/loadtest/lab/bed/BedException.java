package io.penstock.loadtest.lab.bed;

/** The machine cannot be a lab, or a process of it failed. The message says what to do. */
public final class BedException extends Exception {
  private static final long serialVersionUID = 1;

  public BedException(String message) {
    super(message);
  }
}
