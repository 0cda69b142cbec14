package io.penstock.sink.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every arena promises, whatever its memory is. */
public abstract class ArenaContract {
  private static final int CAPACITY = 1 << 20;

  /** Three of these elsewhere leave a gap of this size, wherever they lie: (8 - 3) / 4 > 1. */
  private static final int LARGEST = CAPACITY / 8;

  private final List<Arena> opened = new ArrayList<>();

  /** A new arena of the kind under test. */
  protected abstract Arena open(long capacity);

  private Arena arena() {
    Arena arena = open(CAPACITY);
    opened.add(arena);
    return arena;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(Arena::close);
  }

  @Test
  void regionsBeginAtMultiplesOf64() {
    Arena arena = arena();
    for (int bytes : new int[] {1, 63, 64, 65, 1000, 4097}) {
      try (Region odd = arena.allocate(bytes);
          Region next = arena.allocate(1)) {
        assertThat(odd.address() % BlockSource.ALIGNMENT).isZero();
        assertThat(next.address() % BlockSource.ALIGNMENT).isZero();
        assertThat(odd.bytes()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void bytesComeOutAsTheyWentIn() {
    byte[] bytes = random(300_001, 1);
    try (Region region = arena().allocate(bytes.length + 64)) {
      region.copyIn(64, MemorySegment.ofArray(bytes));
      assertThat(read(region, 64, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void theSourceMayChangeWhenACopyInReturns() {
    byte[] bytes = random(500_000, 2);
    byte[] source = bytes.clone();
    try (Region region = arena().allocate(bytes.length)) {
      region.copyIn(0, MemorySegment.ofArray(source));
      Arrays.fill(source, (byte) 0);
      assertThat(read(region, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void aSourceMayBeFreedWhenACopyInReturns() {
    byte[] bytes = random(400_000, 3);
    try (Region region = arena().allocate(bytes.length)) {
      try (java.lang.foreign.Arena scope = java.lang.foreign.Arena.ofConfined()) {
        region.copyIn(0, scope.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
      }
      assertThat(read(region, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  @Test
  void copiesThatFollowEachOtherKeepTheirOrder() {
    try (Region region = arena().allocate(100_000)) {
      for (int round = 0; round < 20; round++) {
        byte[] bytes = random(100_000, round);
        region.copyIn(0, MemorySegment.ofArray(bytes));
        if (round % 7 == 6) {
          assertThat(read(region, 0, bytes.length)).isEqualTo(bytes);
        }
      }
      assertThat(read(region, 0, 100_000)).isEqualTo(random(100_000, 19));
    }
  }

  @Test
  void aRegionIsReadyAfterWaitingForIt() {
    try (Region region = arena().allocate(1000)) {
      region.copyIn(0, MemorySegment.ofArray(new byte[1000]));
      Readiness readiness = region.readiness();
      readiness.await();
      assertThat(readiness.isReady()).isTrue();
    }
  }

  @Test
  void nothingIsCopiedBeyondTheRegion() {
    try (Region region = arena().allocate(100)) {
      MemorySegment ten = MemorySegment.ofArray(new byte[10]);
      for (long offset : new long[] {-1, 91, 100, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> region.copyIn(offset, ten))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> region.copyOut(offset, ten))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void aRegionOfNothingHasAPlaceOfItsOwn() {
    Arena arena = arena();
    try (Region nothing = arena.allocate(0);
        Region other = arena.allocate(0)) {
      nothing.copyIn(0, MemorySegment.ofArray(new byte[0]));
      nothing.readiness().await();
      assertThat(nothing.bytes()).isZero();
      assertThat(nothing.address()).isNotEqualTo(other.address());
    }
    assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theCapacityIsTheBudget() {
    Arena arena = arena();
    assertThat(arena.capacity()).isEqualTo(CAPACITY);
    assertThatThrownBy(() -> arena.allocate(CAPACITY + 1L))
        .isInstanceOf(BlockExhaustedException.class)
        .hasMessageContaining(arena.kind().text());
    assertThatThrownBy(() -> arena.allocate(Long.MAX_VALUE))
        .isInstanceOf(BlockExhaustedException.class);
    try (Region all = arena.allocate(CAPACITY)) {
      assertThat(arena.used()).isEqualTo(CAPACITY);
      assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(BlockExhaustedException.class);
      assertThat(all.bytes()).isEqualTo(CAPACITY);
    }
    assertThat(arena.used()).isZero();
  }

  @Test
  void whatWasGivenBackIsUsedAgainInOnePiece() {
    Arena arena = arena();
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      regions.add(arena.allocate(CAPACITY / 16));
    }
    for (int i = 1; i < 16; i += 2) {
      regions.get(i).close();
    }
    assertThatThrownBy(() -> arena.allocate(CAPACITY / 8))
        .isInstanceOf(BlockExhaustedException.class)
        .hasMessageContaining("in one piece");
    for (int i = 0; i < 16; i += 2) {
      regions.get(i).close();
    }
    arena.allocate(CAPACITY).close();
  }

  @Test
  void aSecondCloseIsRefusedAndFreesNothing() {
    Arena arena = arena();
    Region first = arena.allocate(64);
    first.close();
    try (Region second = arena.allocate(64)) {
      assertThat(second.address()).isEqualTo(first.address());
      assertFault(ArenaException.Fault.CLOSED_TWICE, first::close);
      assertThat(arena.used()).isEqualTo(64);
    }
  }

  @Test
  void aClosedRegionIsNotTouched() {
    Region region = arena().allocate(64);
    region.close();
    MemorySegment some = MemorySegment.ofArray(new byte[8]);
    assertFault(ArenaException.Fault.CLOSED, () -> region.copyIn(0, some));
    assertFault(ArenaException.Fault.CLOSED, () -> region.copyOut(0, some));
  }

  @Test
  void closingOverAHeldRegionSaysSoAndTakesNothingFromIt() {
    Arena arena = open(CAPACITY);
    Region held = arena.allocate(1000);
    assertFault(ArenaException.Fault.LEAKED, arena::close);
    assertFault(ArenaException.Fault.CLOSED, () -> arena.allocate(1));
    byte[] bytes = random(1000, 5);
    held.copyIn(0, MemorySegment.ofArray(bytes));
    assertThat(read(held, 0, 1000)).isEqualTo(bytes);
    held.close();
    arena.close();
  }

  @Test
  void closingTwiceDoesNothing() {
    Arena arena = open(CAPACITY);
    arena.close();
    arena.close();
  }

  @Test
  void aRegionMayBeClosedWhileItsCopyIsOnTheWay() {
    Arena arena = arena();
    for (int round = 0; round < 50; round++) {
      Region region = arena.allocate(CAPACITY / 2);
      region.copyIn(0, MemorySegment.ofArray(random(CAPACITY / 2, round)));
      region.close();
    }
    byte[] bytes = random(CAPACITY, 77);
    try (Region all = arena.allocate(CAPACITY)) {
      all.copyIn(0, MemorySegment.ofArray(bytes));
      assertThat(read(all, 0, CAPACITY)).isEqualTo(bytes);
    }
  }

  @Test
  void manyThreadsNeverShareMemory() throws Exception {
    Arena arena = arena();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int seed = thread;
        running.add(threads.submit(() -> leaseAndCheck(arena, seed)));
      }
      for (Future<?> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(arena.used()).isZero();
  }

  private static void leaseAndCheck(Arena arena, int seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      byte[] bytes = random(random.nextInt(LARGEST), seed * 1000 + round);
      try (Region region = arena.allocate(bytes.length)) {
        region.copyIn(0, MemorySegment.ofArray(bytes));
        assertThat(read(region, 0, bytes.length)).isEqualTo(bytes);
      }
    }
  }

  /** Checks what {@code call} throws. */
  protected static void assertFault(ArenaException.Fault fault, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(ArenaException.class))
        .extracting(ArenaException::fault)
        .isEqualTo(fault);
  }

  /** The bytes that a reader finds. */
  protected static byte[] read(Region region, long offset, int bytes) {
    byte[] target = new byte[bytes];
    region.copyOut(offset, MemorySegment.ofArray(target));
    return target;
  }

  /** Bytes that another seed does not give. */
  protected static byte[] random(int bytes, long seed) {
    byte[] target = new byte[bytes];
    new Random(seed).nextBytes(target);
    return target;
  }
}
