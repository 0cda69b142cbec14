package io.penstock.dpu.cpu;

import io.penstock.dpu.platform.CpuSet;

/** What became of the wish to keep a thread on certain processors. */
public sealed interface Pinning {

  /** The kernel agreed. */
  record Pinned(CpuSet cpus) implements Pinning {}

  /** It did not, or cannot be asked here; the thread runs as before. */
  record Refused(String reason) implements Pinning {}
}
