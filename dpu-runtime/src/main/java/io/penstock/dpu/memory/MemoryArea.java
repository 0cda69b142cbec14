package io.penstock.dpu.memory;

/** What a byte is held for; every reservation belongs to one area. */
public enum MemoryArea {
  /** Object bodies on their way between client and store. */
  BODIES,
  /** Blocks kept for later readers; gives way to all others. */
  CACHE,
  /** Decoded items and Arrow batches not yet taken by their consumer. */
  BATCHES,
  /** Weights and workspaces of loaded models. */
  MODELS
}
