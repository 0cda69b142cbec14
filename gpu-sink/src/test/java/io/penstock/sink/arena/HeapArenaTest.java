package io.penstock.sink.arena;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapArenaTest extends ArenaContract {
  @Override
  protected Arena open(long capacity) {
    return HostArena.heap(capacity);
  }

  @Test
  void moreThanTheSystemHasIsRefused() {
    assertFault(ArenaException.Fault.UNAVAILABLE, () -> HostArena.heap(1L << 46));
  }

  @Test
  void theSegmentIsWhereTheAddressIs() {
    try (HostArena arena = HostArena.heap(4096);
        HostRegion region = arena.allocate(100)) {
      assertThat(region.segment().address()).isEqualTo(region.address());
      assertThat(region.segment().byteSize()).isEqualTo(100);
    }
  }
}
