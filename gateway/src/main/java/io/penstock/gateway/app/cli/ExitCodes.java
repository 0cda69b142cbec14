package io.penstock.gateway.app.cli;

/** What a process ends with; the launcher adds 3, cannot build or start. */
final class ExitCodes {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USE = 2;

  private ExitCodes() {}
}
