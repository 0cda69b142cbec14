package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.ArenaContract;
import io.penstock.sink.arena.Place;
import io.penstock.sink.arena.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LibcudaDouble.class)
class CudaArenaTest extends ArenaContract {
  @Override
  protected Arena open(long capacity) {
    return CudaArena.open(0, capacity);
  }

  @Test
  void copiesLongerThanTheStagingBuffersArriveWhole() {
    int bytes = (int) (2 * CudaArena.STAGING_BYTES + 12_345);
    byte[] source = random(bytes, 11);
    try (Arena arena = open(bytes + 64);
        Region region = arena.allocate(bytes)) {
      region.copyIn(0, MemorySegment.ofArray(source));
      assertThat(read(region, 0, bytes)).isEqualTo(source);
    }
  }

  @Test
  void theEventIsAWordThatTheConsumerReads() {
    try (Arena arena = open(4096);
        Region region = arena.allocate(100)) {
      assertThat(region.place()).isEqualTo(new Place(Place.Device.CUDA, 0));
      assertThat(region.readiness().eventAddress()).isZero();
      region.copyIn(0, MemorySegment.ofArray(new byte[100]));
      long address = region.readiness().eventAddress();
      assertThat(MemorySegment.ofAddress(address).reinterpret(8).get(ValueLayout.JAVA_LONG, 0))
          .isNotZero();
    }
  }

  @Test
  void aCopyIsOnItsWayUntilSomebodyWaits() {
    LibcudaDouble.needed();
    try (Arena arena = open(4096);
        Region region = arena.allocate(100)) {
      region.copyIn(0, MemorySegment.ofArray(new byte[100]));
      assertThat(region.readiness().isReady()).as("the double defers every copy").isFalse();
      region.readiness().await();
      assertThat(region.readiness().isReady()).isTrue();
    }
  }
}
