package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.plan.ReadAhead;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as given back. */
class BlockCacheTest {
  private static final int BLOCK = 64 << 10;

  private final MemoryBudget budget = MemoryBudget.of(64 << 20);
  private final BlockCache cache =
      new BlockCache(
          budget,
          PooledByteBufAllocator.DEFAULT,
          4L * BLOCK,
          new DiskBlocks(Optional.empty()),
          CacheObserver.NONE);
  private final ObjectEntry entry =
      new ObjectEntry(
          new ObjectName("bucket", "key", ""),
          new VersionHead("\"e\"", 9L * BLOCK, HttpFields.EMPTY, Optional.empty(), 0, BLOCK - 1),
          BLOCK,
          new ReadAhead(new ReadAhead.Settings(BLOCK, BLOCK), 9L * BLOCK),
          0);

  private void fill(int index) {
    cache.publish(entry, index, Objects.requireNonNull(cache.allocate(BLOCK)), false);
  }

  private ByteBuf send(int index) {
    long start = (long) index * BLOCK;
    return Objects.requireNonNull(entry.slice(start + 1, start + BLOCK));
  }

  private long charged() {
    return budget.usage(MemoryArea.CACHE).used();
  }

  @Test
  void aBlockThatIsBeingSentIsNoBytesGivenBack() {
    for (int i = 0; i < 4; i++) {
      fill(i);
    }
    ByteBuf sent = send(0);
    cache.reclaim(BLOCK);
    assertThat(charged()).as("one block is free, besides the one still held").isEqualTo(3L * BLOCK);
    assertThat(cache.blocks()).isEqualTo(2);
    sent.release();
    assertThat(charged()).isEqualTo(2L * BLOCK);
    cache.close();
    budget.assertAllReleased();
  }

  @Test
  void aNewBlockFindsRoomThoughTheOldestOnesAreBeingSent() {
    for (int i = 0; i < 4; i++) {
      fill(i);
    }
    ByteBuf[] sent = {send(0), send(1), send(2)};
    BlockMemory fifth = cache.allocate(BLOCK);
    assertThat(fifth).isNotNull();
    fifth.release();
    for (ByteBuf slice : sent) {
      slice.release();
    }
    cache.close();
    budget.assertAllReleased();
  }
}
