package io.penstock.gateway.read.cache;

import static io.penstock.gateway.read.cache.CacheLab.bytes;
import static io.penstock.gateway.read.cache.CacheLab.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.testing.LeakWatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The cache as clients and the store see it. */
@ExtendWith(LeakWatch.class)
class CacheIT {
  private static final String FRESH = "admit-within: 0s, fresh-for: 1h, block-size: 64KiB";
  private static final String ASKING = "admit-within: 0s, block-size: 64KiB";
  private static final byte[] OBJECT = bytes(300_000, 1);

  @Test
  void aFreshObjectIsReadFromTheStoreOnce() throws Exception {
    try (CacheLab lab = CacheLab.start(FRESH)) {
      lab.origin().put("/bkt/key", OBJECT);
      for (int i = 0; i < 4; i++) {
        assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      }
      assertThat(lab.reads()).hasSize(1);
      assertThat(lab.metric("penstock_cache_reads_total", "hit")).isEqualTo(3);
    }
  }

  @Test
  void anyRangeOfAFreshObjectComesFromMemory() throws Exception {
    try (CacheLab lab = CacheLab.start(FRESH)) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      assertThat(lab.get("key", 0, 0).asByteArray()).isEqualTo(part(OBJECT, 0, 0));
      assertThat(lab.get("key", 65_535, 65_536).asByteArray())
          .isEqualTo(part(OBJECT, 65_535, 65_536));
      var range = lab.get("key", 100_000, 999_999_999);
      assertThat(range.asByteArray()).isEqualTo(part(OBJECT, 100_000, 299_999));
      assertThat(range.response().contentRange()).isEqualTo("bytes 100000-299999/300000");
      assertThat(range.response().eTag()).isEqualTo(lab.origin().etag("/bkt/key"));
      assertThat(lab.reads()).hasSize(1);
    }
  }

  @Test
  void whatIsReadOnceIsNotKept() throws Exception {
    try (CacheLab lab = CacheLab.start("fresh-for: 1h")) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      assertThat(lab.metric("penstock_cache_bytes", "")).isZero();
      lab.get("key");
      assertThat(lab.metric("penstock_cache_bytes", "")).isEqualTo(300_000);
      lab.get("key");
      assertThat(lab.reads()).hasSize(2);
    }
  }

  @Test
  void withoutFreshnessEveryHitIsConfirmedByTheStore() throws Exception {
    try (CacheLab lab = CacheLab.start(ASKING)) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      assertThat(lab.questions()).hasSize(1);
      byte[] other = bytes(300_000, 2);
      lab.origin().put("/bkt/key", other);
      assertThat(lab.get("key").asByteArray()).isEqualTo(other);
      assertThat(lab.get("key", 10, 20).asByteArray()).isEqualTo(part(other, 10, 20));
      lab.origin().remove("/bkt/key");
      assertThatThrownBy(() -> lab.get("key"))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
    }
  }

  @Test
  void aWriteThroughTheGatewayIsSeenAtOnce() throws Exception {
    try (CacheLab lab = CacheLab.start(FRESH)) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      byte[] other = bytes(1000, 3);
      lab.put("key", other);
      assertThat(lab.get("key").asByteArray()).isEqualTo(other);
      lab.client().deleteObject(r -> r.bucket("bkt").key("key"));
      assertThatThrownBy(() -> lab.get("key")).isInstanceOf(S3Exception.class);
    }
  }

  @Test
  void aHitWhoseConditionFailsIsAnsweredByTheStore() throws Exception {
    try (CacheLab lab = CacheLab.start(FRESH)) {
      lab.origin().put("/bkt/key", OBJECT);
      String etag = lab.get("key").response().eTag();
      assertThat(
              lab.client()
                  .getObjectAsBytes(r -> r.bucket("bkt").key("key").ifMatch(etag))
                  .asByteArray())
          .isEqualTo(OBJECT);
      assertThat(lab.reads()).hasSize(1);
      assertThatThrownBy(
              () -> lab.client().getObjectAsBytes(r -> r.bucket("bkt").key("key").ifMatch("\"x\"")))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
      assertThatThrownBy(
              () ->
                  lab.client().getObjectAsBytes(r -> r.bucket("bkt").key("key").ifNoneMatch(etag)))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(304));
      assertThatThrownBy(() -> lab.get("key", 300_000, 300_001))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(416));
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      assertThat(lab.reads()).hasSize(4);
    }
  }

  @Test
  void evictedBlocksOfAHitAreFetchedAgain() throws Exception {
    // room for two and a half blocks of 64 KiB
    try (CacheLab lab = CacheLab.start(FRESH + ", memory: 160KiB")) {
      lab.origin().put("/bkt/key", OBJECT);
      for (int i = 0; i < 5; i++) {
        assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      }
      assertThat(lab.metric("penstock_cache_bytes", "")).isBetween(1.0, 160.0 * 1024);
      assertThat(lab.metric("penstock_memory_reserved_bytes", "cache"))
          .isLessThanOrEqualTo(163_840);
    }
  }

  @Test
  void aSequentialReaderIsAheadOfTheStore() throws Exception {
    byte[] large = bytes(8 << 20, 4);
    try (CacheLab lab = CacheLab.start("block-size: 256KiB, read-ahead: {trust-for: 1m}")) {
      lab.origin().put("/bkt/key", large);
      int step = 128 << 10;
      for (int at = 0; at < large.length; at += step) {
        assertThat(lab.get("key", at, at + step - 1).asByteArray())
            .isEqualTo(part(large, at, at + step - 1));
      }
      assertThat(lab.reads()).hasSizeLessThan(40);
      assertThat(lab.metric("penstock_cache_reads_total", "hit")).isGreaterThan(50);
    }
  }
}
