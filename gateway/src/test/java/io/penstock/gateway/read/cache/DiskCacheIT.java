package io.penstock.gateway.read.cache;

import static io.penstock.gateway.read.cache.CacheLab.bytes;
import static io.penstock.gateway.read.cache.CacheLab.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.testing.LeakWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The second tier as clients and the store see it, over restarts of the gateway. */
@ExtendWith(LeakWatch.class)
class DiskCacheIT {
  private static final byte[] OBJECT = bytes(300_000, 1);
  private static final int BLOCKS = 5;

  @TempDir Path folder;

  private String disk(String more) {
    return "admit-within: 0s, block-size: 64KiB, disk: {path: " + folder + "/tier" + more + "}";
  }

  private CacheLab start() throws IOException {
    return CacheLab.start(disk(""));
  }

  /** A gateway that has written the object to its disk, and has ended. */
  private void fill() throws Exception {
    try (CacheLab lab = start()) {
      lab.origin().put("/bkt/key", OBJECT);
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      await(lab, "penstock_cache_disk_files", BLOCKS);
    }
  }

  private static void await(CacheLab lab, String metric, double value) throws Exception {
    for (int i = 0; lab.metric(metric, "") != value; i++) {
      if (i > 1000) {
        throw new AssertionError(metric + " is " + lab.metric(metric, ""));
      }
      Thread.sleep(5);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("tier"))) {
      return all.filter(file -> file.toString().endsWith(".blk")).toList();
    }
  }

  /** On a busy machine the store may overtake the disk, as it should; but not each time. */
  private static void atLeastOnce(Callable<Boolean> attempt) throws Exception {
    for (int i = 0; i < 5; i++) {
      if (attempt.call()) {
        return;
      }
    }
    throw new AssertionError("the store was asked for bytes that the disk has");
  }

  @Test
  void aRestartedGatewayAsksTheStoreForHeadsOnly() throws Exception {
    fill();
    atLeastOnce(
        () -> {
          try (CacheLab lab = start()) {
            lab.origin().put("/bkt/key", OBJECT);
            await(lab, "penstock_cache_disk_files", BLOCKS);
            var whole = lab.get("key");
            assertThat(whole.asByteArray()).isEqualTo(OBJECT);
            assertThat(whole.response().contentType()).isEqualTo("text/plain");
            assertThat(lab.get("key", 70_000, 270_000).asByteArray())
                .isEqualTo(part(OBJECT, 70_000, 270_000));
            // the second read had the version confirmed by a GET that was answered 304
            return lab.reads().equals(lab.questions())
                && lab.reads().size() == 1
                && lab.metric("penstock_cache_disk_reads_total", "hit") == BLOCKS
                && lab.metric("penstock_cache_disk_written_bytes_total", "") == 0;
          }
        });
  }

  @Test
  void aRangeAfterARestartBringsItsBlocksOnly() throws Exception {
    fill();
    atLeastOnce(
        () -> {
          try (CacheLab lab = CacheLab.start(disk("") + ", read-ahead: {enabled: false}")) {
            lab.origin().put("/bkt/key", OBJECT);
            await(lab, "penstock_cache_disk_files", BLOCKS);
            assertThat(lab.get("key", 140_000, 140_010).asByteArray())
                .isEqualTo(part(OBJECT, 140_000, 140_010));
            assertThat(lab.metric("penstock_cache_disk_read_bytes_total", ""))
                .isLessThanOrEqualTo(65_536);
            return lab.reads().isEmpty();
          }
        });
  }

  @Test
  void whatWasReplacedMeanwhileIsReadFromTheStore() throws Exception {
    fill();
    byte[] other = bytes(300_000, 2);
    try (CacheLab lab = start()) {
      // the origin counts its versions: this one has another ETag
      lab.origin().put("/bkt/key", OBJECT);
      lab.origin().put("/bkt/key", other);
      await(lab, "penstock_cache_disk_files", BLOCKS);
      assertThat(lab.get("key").asByteArray()).isEqualTo(other);
      assertThat(lab.reads()).hasSize(1);
      assertThat(lab.metric("penstock_cache_disk_reads_total", "hit")).isZero();
      lab.origin().remove("/bkt/key");
    }
    try (CacheLab lab = start()) {
      await(lab, "penstock_cache_disk_files", BLOCKS);
      assertThatThrownBy(() -> lab.get("key")).hasMessageContaining("404");
      await(lab, "penstock_cache_disk_files", 0);
    }
  }

  @Test
  void onlyADamagedBlockIsReadFromTheStore() throws Exception {
    fill();
    atLeastOnce(
        () -> {
          Path file = files().getLast();
          byte[] content = Files.readAllBytes(file);
          content[content.length / 2] ^= 1;
          Files.write(file, content);
          try (CacheLab lab = start()) {
            lab.origin().put("/bkt/key", OBJECT);
            await(lab, "penstock_cache_disk_files", BLOCKS);
            assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
            assertThat(lab.metric("penstock_cache_disk_reads_total", "corrupt")).isEqualTo(1);
            // it is there again
            await(lab, "penstock_cache_disk_files", BLOCKS);
            return lab.metric("penstock_cache_disk_reads_total", "hit") == BLOCKS - 1;
          }
        });
  }

  @Test
  void whatMemoryHasNoRoomForComesFromTheDisk() throws Exception {
    // two blocks and a half in memory, five of the object
    try (CacheLab lab = CacheLab.start(disk("") + ", fresh-for: 1h, memory: 160KiB")) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.origin().put("/bkt/other", OBJECT);
      lab.get("key");
      for (int i = 0; i < 6; i++) {
        assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
        assertThat(lab.get("key", i * 40_000, i * 40_000 + 9).asByteArray())
            .isEqualTo(part(OBJECT, i * 40_000, i * 40_000 + 9));
      }
      assertThat(lab.metric("penstock_memory_reserved_bytes", "cache"))
          .isLessThanOrEqualTo(163_840);
      assertThat(lab.metric("penstock_cache_disk_reads_total", "hit")).isPositive();
    }
  }

  @Test
  void aDeleteThroughTheGatewayDeletesTheFiles() throws Exception {
    try (CacheLab lab = start()) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      await(lab, "penstock_cache_disk_files", BLOCKS);
      lab.client().deleteObject(r -> r.bucket("bkt").key("key"));
      await(lab, "penstock_cache_disk_files", 0);
      for (int i = 0; !files().isEmpty(); i++) {
        assertThat(i).as("files are still there").isLessThan(1000);
        Thread.sleep(5);
      }
    }
  }

  @Test
  void aDiskThatGoesAwayFailsNoRead() throws Exception {
    fill();
    try (CacheLab lab = start()) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.origin().put("/bkt/other", OBJECT);
      await(lab, "penstock_cache_disk_files", BLOCKS);
      try (Stream<Path> all = Files.walk(folder.resolve("tier"))) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      assertThat(lab.get("other").asByteArray()).isEqualTo(OBJECT);
      await(lab, "penstock_cache_disk_up", 0);
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
    }
  }

  @Test
  void aTinyDiskTakesWhatFits() throws Exception {
    byte[] large = bytes(3 << 20, 5);
    try (CacheLab lab = CacheLab.start(disk(", size: 1MiB"))) {
      lab.origin().put("/bkt/large", large);
      for (int i = 0; i < 3; i++) {
        assertThat(lab.get("large").asByteArray()).isEqualTo(large);
      }
      assertThat(lab.metric("penstock_cache_disk_bytes", "")).isLessThanOrEqualTo(1 << 20);
      assertThat(lab.metric("penstock_cache_disk_up", "")).isEqualTo(1);
    }
  }

  @Test
  void aGatewayWhoseDiskCannotBeWrittenDoesNotStart() throws Exception {
    Files.writeString(folder.resolve("tier"), "a file");
    assertThatThrownBy(this::start)
        .hasStackTraceContaining("cache.disk.path: " + folder.resolve("tier"));
  }
}
