package io.penstock.gateway.read.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.read.plan.ReadAhead.Plan;
import io.penstock.gateway.read.plan.ReadAhead.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final long BLOCK = 1 << 20;
  private static final long READ = 128 << 10;
  private static final long LENGTH = 1L << 30;

  private final ReadAhead ahead = new ReadAhead(new Settings(BLOCK, 32 * BLOCK), LENGTH);

  private Plan read(long at) {
    return ahead.read(at, at + READ - 1, 0);
  }

  @Test
  void oneReadIsNoStream() {
    assertThat(read(5 * BLOCK)).isEqualTo(new Plan(false, 0, 0));
  }

  @Test
  void theSecondReadInOrderBringsTwoBlocks() {
    read(0);
    assertThat(read(READ)).isEqualTo(new Plan(true, 0, 3 * BLOCK));
  }

  @Test
  void theWindowDoublesUpToItsMost() {
    long most = 0;
    long last = 0;
    for (long at = 0; at < 256 * BLOCK; at += READ) {
      Plan plan = read(at);
      if (plan.bytes() > 0) {
        assertThat(plan.from()).isEqualTo(last);
        last = plan.to();
        most = Math.max(most, plan.to() - at);
      }
      assertThat(last - at).isLessThanOrEqualTo(33 * BLOCK);
    }
    assertThat(most).isGreaterThan(31 * BLOCK);
  }

  @Test
  void randomReadsBringNothing() {
    for (int i = 0; i < 100; i++) {
      assertThat(read(i * 37L * BLOCK % LENGTH).bytes()).isZero();
    }
  }

  @Test
  void parallelReadersOfOneObjectEachHaveTheirStream() {
    for (int i = 0; i < 16; i++) {
      for (int stream = 0; stream < 4; stream++) {
        Plan plan = read(stream * 100 * BLOCK + i * READ);
        assertThat(plan.sequential()).isEqualTo(i > 0);
      }
    }
  }

  @Test
  void slightlyOutOfOrderIsBroughtInOrder() {
    long[] order = {0, 2, 1, 4, 3, 6, 5, 8, 7};
    long brought = 0;
    for (long i : order) {
      Plan plan = read(i * READ);
      assertThat(plan.bytes() == 0 || plan.from() == brought).isTrue();
      brought = Math.max(brought, plan.to());
    }
    assertThat(brought).isGreaterThan(2 * BLOCK);
  }

  /** Only who goes on exactly where a reader stopped is that reader, and may be trusted as it. */
  @Test
  void aReadNearAStreamIsNotTakenForItsReader() {
    read(0);
    assertThat(read(READ).sequential()).isTrue();
    for (long at : List.of(0L, 1L, READ, 2 * READ - 1, 3 * READ + 1)) {
      assertThat(ahead.read(at, at + 9, 0).sequential()).as("at %s", at).isFalse();
    }
    assertThat(read(3 * READ + 11).sequential()).isTrue();
  }

  @Test
  void nothingBeyondTheEndIsBrought() {
    ReadAhead small = new ReadAhead(new Settings(BLOCK, 32 * BLOCK), 3 * BLOCK + 5);
    small.read(0, READ - 1, 0);
    long last = 0;
    for (long at = READ; at < 3 * BLOCK; at += READ) {
      Plan plan = small.read(at, at + READ - 1, 0);
      last = Math.max(last, plan.to());
    }
    assertThat(last).isEqualTo(3 * BLOCK + 5);
  }

  @Test
  void aReaderThatRestsGivesBackWhatWasBroughtForIt() {
    read(0);
    read(READ);
    assertThat(ahead.rest(ReadAhead.IDLE_NANOS - 1)).isEmpty();
    assertThat(ahead.rest(ReadAhead.IDLE_NANOS)).isEqualTo(List.of(new Plan(true, 0, 3 * BLOCK)));
    assertThat(ahead.hasStreams()).isFalse();
    assertThat(read(2 * READ).sequential()).isFalse();
  }

  private long most(long from, long to, long nowNanos) {
    long most = 0;
    for (long at = from; at < to; at += READ) {
      most = Math.max(most, ahead.read(at, at + READ - 1, nowNanos).bytes());
    }
    return most;
  }

  @Test
  void wasteHalvesTheWindowsToComeAndUseRestoresThem() {
    for (int i = 0; i < 6; i++) {
      most(i * 100 * BLOCK, i * 100 * BLOCK + 8 * READ, i * ReadAhead.IDLE_NANOS);
      ahead.rest((i + 1) * ReadAhead.IDLE_NANOS);
    }
    long now = 7 * ReadAhead.IDLE_NANOS;
    assertThat(most(700 * BLOCK, 702 * BLOCK, now)).isLessThanOrEqualTo(3 * BLOCK);
    assertThat(most(702 * BLOCK, 900 * BLOCK, now)).isGreaterThan(16 * BLOCK);
  }

  @Test
  void whatCouldNotBeBroughtIsPlannedAgain() {
    read(0);
    read(READ);
    ahead.failed(BLOCK);
    assertThat(read(2 * READ).from()).isEqualTo(BLOCK);
  }

  @Test
  void withoutAWindowNothingIsBrought() {
    ReadAhead off = new ReadAhead(new Settings(BLOCK, 0), LENGTH);
    off.read(0, READ - 1, 0);
    assertThat(off.read(READ, 2 * READ - 1, 0)).isEqualTo(new Plan(false, 0, 0));
  }
}
