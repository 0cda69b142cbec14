package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.penstock.config.ByteSize;
import io.penstock.config.CacheConfig;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.read.cache.disk.DiskObserver;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Features of three blocks, the last of them short, in a cache that has room for five. */
class KeptFeaturesTest {
  private static final int BLOCK = 64 << 10;
  private static final int BYTES = 2 * BLOCK + 100;

  private final MemoryBudget budget = MemoryBudget.of(64 << 20);
  private final ReadCache cache =
      ReadCache.of(
              new CacheConfig(
                  Optional.of(new ByteSize(5L * BLOCK)),
                  new ByteSize(BLOCK),
                  Duration.ofHours(1),
                  Duration.ZERO,
                  1000,
                  new CacheConfig.ReadAheadConfig(
                      false, new ByteSize(1 << 20), Duration.ofSeconds(1)),
                  Optional.empty()),
              budget,
              InstantSource.system(),
              System::nanoTime,
              new ReadCache.Observers(CacheObserver.NONE, new DiskObserver() {}))
          .orElseThrow();
  private final KeptFeatures features = cache.features("photos", "recipe", BYTES, Runnable::run);

  @AfterEach
  void nothingLeaks() {
    cache.close();
    budget.assertAllReleased();
  }

  private static ByteBuffer sample(int seed) {
    ByteBuffer sample = ByteBuffer.allocateDirect(BYTES);
    for (int i = 0; i < BYTES; i++) {
      sample.put(i, (byte) (seed + i * 7));
    }
    return sample;
  }

  private static Optional<ByteBuffer> found(KeptFeatures in, String key, String etag) {
    Optional<List<ByteBuf>> buffers = in.find(key, "", etag).result();
    return buffers.map(
        all -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          for (ByteBuf buffer : all) {
            byte[] part = new byte[buffer.readableBytes()];
            buffer.readBytes(part);
            bytes.writeBytes(part);
            buffer.release();
          }
          return ByteBuffer.wrap(bytes.toByteArray());
        });
  }

  @Test
  void whatIsKeptIsFoundAgain() {
    assertThat(features.mayHave("a", "")).isFalse();
    assertThat(found(features, "a", "\"1\"")).isEmpty();
    features.keep("a", "", "\"1\"", sample(1));
    assertThat(features.mayHave("a", "")).isTrue();
    assertThat(found(features, "a", "\"1\"")).contains(sample(1));
    assertThat(budget.usage(MemoryArea.CACHE).used()).isEqualTo(BYTES);
  }

  @Test
  void anotherObjectVersionRecipeOrBucketIsAnother() {
    features.keep("a", "", "\"1\"", sample(1));
    assertThat(found(features, "b", "\"1\"")).isEmpty();
    assertThat(features.mayHave("a", "v")).isFalse();
    assertThat(found(cache.features("photos", "other", BYTES, Runnable::run), "a", "\"1\""))
        .isEmpty();
    assertThat(found(cache.features("other", "recipe", BYTES, Runnable::run), "a", "\"1\""))
        .isEmpty();
    assertThat(found(features, "a", "\"1\"")).contains(sample(1));
    assertThat(found(features, "a", "\"2\"")).as("overwritten").isEmpty();
    assertThat(budget.usage(MemoryArea.CACHE).used()).as("the old ones go").isZero();
  }

  @Test
  void whatIsEvictedInPartIsNotFoundAndCanBeKeptAgain() {
    features.keep("a", "", "\"1\"", sample(1));
    cache.blocks.reclaim(1);
    assertThat(cache.bytes()).isPositive();
    assertThat(found(features, "a", "\"1\"")).isEmpty();
    features.keep("a", "", "\"1\"", sample(1));
    assertThat(found(features, "a", "\"1\"")).contains(sample(1));
  }

  @Test
  void moreThanTheCacheHoldsPushesOutAndNeverFails() {
    for (int i = 0; i < 20; i++) {
      features.keep("key" + i, "", "\"1\"", sample(i));
      assertThat(cache.bytes()).isLessThanOrEqualTo(5L * BLOCK);
    }
    int kept = 0;
    for (int i = 0; i < 20; i++) {
      Optional<ByteBuffer> bytes = found(features, "key" + i, "\"1\"");
      if (bytes.isPresent()) {
        kept++;
        assertThat(bytes).contains(sample(i));
      }
    }
    assertThat(kept).isBetween(0, 2);
  }

  @Test
  void aSampleOfAnotherLengthIsNotKept() {
    features.keep("a", "", "\"1\"", ByteBuffer.allocateDirect(BYTES - 1));
    assertThat(found(features, "a", "\"1\"")).isEmpty();
  }
}
