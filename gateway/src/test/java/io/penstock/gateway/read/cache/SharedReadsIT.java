package io.penstock.gateway.read.cache;

import static io.penstock.gateway.read.cache.CacheLab.bytes;
import static io.penstock.gateway.read.cache.CacheLab.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Several readers of the same objects at once, tenants who may not, and writers among them. */
@ExtendWith(LeakWatch.class)
class SharedReadsIT {
  private static final String FRESH = "admit-within: 0s, fresh-for: 1h, block-size: 64KiB";
  private static final byte[] OBJECT = bytes(500_000, 1);

  @Test
  void readersAtTheSameTimeCostOneReadOfTheStore() throws Exception {
    try (CacheLab lab = CacheLab.start(FRESH);
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      lab.origin().put("/bkt/key", OBJECT).latency(Duration.ofMillis(400));
      List<Future<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        reads.add(
            pool.submit(
                () -> {
                  try (S3Client own = lab.stack().client()) {
                    return own.getObjectAsBytes(r -> r.bucket("bkt").key("key")).asByteArray();
                  }
                }));
      }
      for (Future<byte[]> read : reads) {
        assertThat(read.get()).isEqualTo(OBJECT);
      }
      assertThat(lab.reads()).hasSize(1);
      assertThat(lab.metric("penstock_cache_followers_total", "")).isPositive();
    }
  }

  @Test
  void aTenantWithoutThePolicyIsRefusedWhatTheCacheHolds() throws Exception {
    String tenants =
        "tenants: [{name: demo, access-key: %s, secret-key: %s}, {name: other, access-key: other,"
                .formatted(Stack.ACCESS_KEY, Stack.SECRET_KEY)
            + " secret-key: other-secret, policy: {rules: [{bucket: elsewhere, access: [read]}]}}]\n";
    try (CacheLab lab = CacheLab.start(FRESH, tenants);
        S3Client other = Stack.client(lab.stack().s3(), "other", "other-secret");
        S3Client stranger = Stack.client(lab.stack().s3(), Stack.ACCESS_KEY, "wrong")) {
      lab.origin().put("/bkt/key", OBJECT);
      lab.get("key");
      assertThat(lab.get("key").asByteArray()).isEqualTo(OBJECT);
      for (S3Client client : List.of(other, stranger)) {
        assertThatThrownBy(() -> client.getObjectAsBytes(r -> r.bucket("bkt").key("key")))
            .isInstanceOfSatisfying(
                S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
      }
      assertThat(lab.reads()).hasSize(1);
    }
  }

  @Test
  void whatIsOverwrittenWhileItIsReadIsNeverMixed() throws Exception {
    try (CacheLab lab = CacheLab.start("admit-within: 0s, block-size: 64KiB, memory: 300KiB");
        ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      lab.origin().put("/bkt/key", uniform(0));
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int seed = i;
        readers.add(pool.submit(() -> readMany(lab, seed)));
      }
      for (int version = 1; version <= 20; version++) {
        Thread.sleep(10);
        if (version % 2 == 0) {
          lab.origin().put("/bkt/key", uniform(version));
        } else {
          lab.put("key", uniform(version));
        }
      }
      int whole = 0;
      for (Future<Integer> reader : readers) {
        whole += reader.get();
      }
      assertThat(whole).isPositive();
      assertThat(lab.get("key").asByteArray()).isEqualTo(uniform(20));
    }
  }

  /** How many reads came whole; each of them is of one version. */
  private static int readMany(CacheLab lab, int seed) {
    Random random = new Random(seed);
    int whole = 0;
    try (S3Client own = lab.stack().client()) {
      for (int i = 0; i < 25; i++) {
        int first = random.nextInt(OBJECT.length);
        String range = random.nextBoolean() ? "bytes=" + first + "-" : "bytes=0-";
        try {
          byte[] read =
              own.getObjectAsBytes(r -> r.bucket("bkt").key("key").range(range)).asByteArray();
          for (byte b : read) {
            assertThat(b).isEqualTo(read[0]);
          }
          whole++;
        } catch (SdkException broken) {
          // the version went away meanwhile
        }
      }
    }
    return whole;
  }

  private static byte[] uniform(int version) {
    byte[] bytes = new byte[OBJECT.length];
    java.util.Arrays.fill(bytes, (byte) version);
    return bytes;
  }

  @Test
  void aReaderThatStopsGivesItsReadAheadBack() throws Exception {
    byte[] large = bytes(8 << 20, 2);
    try (CacheLab lab = CacheLab.start("block-size: 256KiB")) {
      lab.origin().put("/bkt/key", large);
      for (int at = 0; at < 1 << 20; at += 128 << 10) {
        assertThat(lab.get("key", at, at + (128 << 10) - 1).asByteArray())
            .isEqualTo(part(large, at, at + (128 << 10) - 1));
      }
      assertThat(lab.metric("penstock_cache_bytes", "")).isGreaterThan(1 << 20);
      while (lab.metric("penstock_cache_read_ahead_wasted_bytes_total", "") == 0) {
        Thread.sleep(100);
      }
      assertThat(lab.metric("penstock_cache_bytes", ""))
          .isLessThanOrEqualTo((1 << 20) + (512 << 10));
    }
  }

  @Test
  void closingTheGatewayGivesEverythingBack() throws Exception {
    CacheLab lab = CacheLab.start(FRESH);
    lab.origin().put("/bkt/key", OBJECT);
    lab.get("key");
    lab.get("key", 5, 10);
    lab.close();
    // LeakWatch finds what is left
  }
}
