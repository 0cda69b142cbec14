package io.penstock.arrow.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ring.RingException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that are killed with SIGKILL while they work. */
@Timeout(120)
class RingKillIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private RingDirectory rings() {
    return new RingDirectory(folder, RingHost.linux(System::nanoTime));
  }

  /** Reads whole batches until the ring says why there are no more. */
  private static RingException readUntilItFails(RingReader reader) {
    return assertThrows(
        RingException.class,
        () -> {
          while (true) {
            try (RingRecord record = reader.next(PATIENCE).orElseThrow()) {
              assertTrue(
                  record.kind() != Frame.Kind.BATCH
                      || Frames.isWhole(record.message(), record.batch()));
            }
          }
        });
  }

  @Test
  void aKilledProducerIsATypedErrorAfterWholeBatches() throws Exception {
    try (Ring ring = rings().create("r", 1 << 20, 1);
        RingReader reader = rings().read("r");
        RingProcess producer = RingProcess.start("producer", folder)) {
      for (int i = 0; i < 50; i++) {
        reader.next(PATIENCE).orElseThrow().close();
      }
      producer.kill();
      assertEquals(Reason.PRODUCER_GONE, readUntilItFails(reader).reason());
      assertTrue(ring.progress().batches() >= 49);
    }
  }

  @Test
  void aKilledConsumerHoldsNobodyUp() throws Exception {
    try (Ring ring = rings().create("r", 1 << 20, 2);
        RingReader reader = rings().read("r");
        RingWriter writer = rings().write("r", Duration.ofMinutes(5))) {
      writer.write(Frames.of(Frame.Kind.SCHEMA, 0, 8));
      try (RingProcess consumer = RingProcess.start("consumer", folder)) {
        consumer.kill();
      }
      reader.next(PATIENCE).orElseThrow().close();
      for (int i = 0; i < 50; i++) {
        writer.write(Frames.of(Frame.Kind.BATCH, i, 20_000));
        try (RingRecord record = reader.next(PATIENCE).orElseThrow()) {
          assertTrue(Frames.isWhole(record.message(), i));
        }
      }
      assertEquals(1, writer.cutOff());
      assertEquals(1, ring.progress().consumers());
    }
  }

  @Test
  void aKilledOwnerEndsTheRingAndLeavesNoFileAfterARestart() throws Exception {
    try (RingProcess owner = RingProcess.start("owner", folder);
        RingReader reader = rings().read("r");
        RingWriter writer = rings().write("r", Duration.ofMinutes(5))) {
      writer.write(Frames.of(Frame.Kind.SCHEMA, 0, 8));
      owner.kill();
      assertEquals(Reason.OWNER_GONE, readUntilItFails(reader).reason());
      RingException stopped =
          assertThrows(
              RingException.class,
              () -> {
                while (true) {
                  writer.write(Frames.of(Frame.Kind.BATCH, 0, 100));
                }
              });
      assertEquals(Reason.OWNER_GONE, stopped.reason());
      assertTrue(Files.exists(folder.resolve("r.ring")));
      // the next owner takes the name
      rings().create("r", 1 << 20, 1).close();
      assertFalse(Files.exists(folder.resolve("r.ring")));
      try (var left = Files.list(folder)) {
        assertEquals(0, left.count());
      }
    }
  }
}
