package io.penstock.gateway.read.cache;

/**
 * One block of one version of an object.
 *
 * <p>Threading: immutable but for its count of uses.
 *
 * <p>Ownership: the cache holds one reference to the memory for as long as the block is in it.
 */
final class Block extends Admission.Resident {
  private final ObjectEntry entry;
  private final int index;
  private final BlockMemory memory;

  Block(ObjectEntry entry, int index, BlockMemory memory) {
    super(memory.capacity(), entry.identity(index));
    this.entry = entry;
    this.index = index;
    this.memory = memory;
  }

  ObjectEntry entry() {
    return entry;
  }

  int index() {
    return index;
  }

  BlockMemory memory() {
    return memory;
  }
}
