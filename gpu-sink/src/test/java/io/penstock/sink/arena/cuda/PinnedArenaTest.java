package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.ArenaContract;
import io.penstock.sink.arena.ArenaKind;
import io.penstock.sink.arena.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LibcudaDouble.class)
class PinnedArenaTest extends ArenaContract {
  @Override
  protected Arena open(long capacity) {
    return PinnedSlab.arena(0, capacity);
  }

  @Test
  void theDeviceReadsItsMemory() {
    try (Arena arena = open(4096)) {
      assertThat(arena.kind()).isEqualTo(ArenaKind.PINNED);
      assertThat(arena.place()).isEqualTo(new Place(Place.Device.CUDA_HOST, 0));
    }
  }
}
