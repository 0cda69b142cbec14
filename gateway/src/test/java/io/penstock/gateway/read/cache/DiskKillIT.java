package io.penstock.gateway.read.cache;

import static io.penstock.gateway.read.cache.CacheLab.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.GatewayProcess;
import io.penstock.gateway.testing.ObjectOrigin;
import io.penstock.gateway.testing.Stack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.S3Client;

/** A gateway that is killed while it writes to its disk never serves a byte that is not there. */
class DiskKillIT {
  private static final int OBJECTS = 80;
  private static final int LIVES = 3;
  private static final int READERS = 3;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final ObjectOrigin origin = new ObjectOrigin();
  private final byte[][] objects = new byte[OBJECTS][];
  private final Random random = new Random(11);

  @Test
  @Timeout(240)
  void whatTheDiskKeepsOverKillsIsWhatTheStoreHas() throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      write(i);
    }
    double fromDisk = 0;
    try (FaultyStore store = FaultyStore.start(origin)) {
      for (int life = 0; life < LIVES; life++) {
        try (GatewayProcess gateway = start(store)) {
          if (life < LIVES - 1) {
            read(gateway, 20 + random.nextInt(50));
          } else {
            read(gateway, Integer.MAX_VALUE);
            fromDisk = gateway.metric("penstock_cache_disk_reads_total", "hit");
          }
        }
        for (int i = 0; i < OBJECTS; i += 7) {
          write(i);
        }
      }
    }
    assertThat(fromDisk).as("blocks of an earlier life that were served").isPositive();
  }

  private GatewayProcess start(FaultyStore store) throws Exception {
    String cache =
        "cache: {admit-within: 0s, block-size: 64KiB, memory: 4MiB, disk: {path: '%s'}}\n"
            .formatted(directory.resolve("tier"));
    return GatewayProcess.startWith(cache, directory, store.uri(), "-Xmx128m", "-XX:+UseSerialGC");
  }

  private void write(int i) {
    objects[i] = bytes(50_000 + random.nextInt(300_000), random.nextInt());
    origin.put("/bkt/" + i, objects[i]);
  }

  /** Reads all objects; whoever comes to read number {@code killAt} kills the gateway instead. */
  private void read(GatewayProcess gateway, int killAt) throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean killed = new AtomicBoolean();
    try (S3Client client = Stack.client(gateway.s3(), Stack.ACCESS_KEY, Stack.SECRET_KEY);
        var readers = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int r = 0; r < READERS; r++) {
        all.add(
            readers.submit(
                () -> {
                  for (int i = next.getAndIncrement(); i < OBJECTS && !killed.get(); ) {
                    if (i == killAt) {
                      killed.set(true);
                      gateway.kill();
                      return null;
                    }
                    readOne(client, i, killed);
                    i = next.getAndIncrement();
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private void readOne(S3Client client, int i, AtomicBoolean killed) {
    byte[] read;
    try {
      read = client.getObjectAsBytes(g -> g.bucket("bkt").key("" + i)).asByteArray();
    } catch (SdkClientException e) {
      assertThat(killed).as("a read failed before the kill: " + e).isTrue();
      return;
    }
    assertThat(read).as("object " + i).isEqualTo(objects[i]);
  }
}
