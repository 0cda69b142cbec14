package io.penstock.arrow.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.arrow.ipc.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers of all sorts at a small ring that wraps all the time: nobody sees a batch that is not
 * whole, and who keeps up misses none. {@code -Dpenstock.ring.stress=600} runs it for ten minutes.
 */
class RingStressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final RingHost host = RingHost.linux(System::nanoTime);
  private final long seconds = Math.max(1, Long.getLong("penstock.ring.stress", 2) / 2);

  @Test
  void whoKeepsUpMissesNothing() throws Exception {
    RingDirectory rings = new RingDirectory(folder, host);
    try (Ring ring = rings.create("stress", 192 << 10, 3);
        var threads = Executors.newCachedThreadPool()) {
      Future<Long> written = threads.submit(() -> write(rings, PATIENCE));
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long seed = i;
        RingReader reader = rings.read("stress");
        readers.add(threads.submit(() -> readAll(reader, new Random(seed))));
      }
      long batches = written.get();
      for (Future<Long> reader : readers) {
        assertEquals(batches, reader.get());
      }
      assertEquals(batches, ring.progress().batches());
      assertTrue(batches > 100, "the test did something: " + batches);
    }
  }

  @Test
  void whoIsCutOffNeverBelievesWhatWasTorn() throws Exception {
    RingDirectory rings = new RingDirectory(folder, host);
    try (Ring ring = rings.create("stress", 64 << 10, 1);
        var threads = Executors.newCachedThreadPool()) {
      Future<Long> written = threads.submit(() -> write(rings, Duration.ofMillis(5)));
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long seed = i;
        readers.add(threads.submit(() -> readLazily(rings, written, new Random(seed))));
      }
      assertTrue(written.get() > 0);
      for (Future<Long> reader : readers) {
        assertEquals(0, reader.get(), "batches that were not whole, but believed to be");
      }
      assertTrue(ring.progress().batches() > 0);
    }
  }

  private long write(RingDirectory rings, Duration deadline) throws Exception {
    Random random = new Random(7);
    try (RingWriter writer = rings.write("stress", deadline)) {
      writer.write(Frames.of(Frame.Kind.SCHEMA, 0, 8));
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      while (System.nanoTime() < end) {
        writeOrWait(
            writer, Frames.of(Frame.Kind.BATCH, writer.batches(), 1 + random.nextInt(3000)));
      }
      long batches = writer.batches();
      writeOrWait(writer, Frames.of(Frame.Kind.END, 0, 1));
      return batches;
    }
  }

  private static void writeOrWait(RingWriter writer, Frame frame) throws Exception {
    try {
      writer.write(frame);
    } catch (RingException e) {
      assertEquals(RingException.Reason.NO_CONSUMERS, e.reason(), e.getMessage());
    }
  }

  /** Keeps a few batches and gives them back in any order. */
  private long readAll(RingReader reader, Random random) throws Exception {
    try (reader) {
      ArrayDeque<RingRecord> kept = new ArrayDeque<>();
      long batches = 0;
      for (Optional<RingRecord> next = reader.next(PATIENCE);
          next.isPresent();
          next = reader.next(PATIENCE)) {
        RingRecord record = next.get();
        if (record.kind() != Frame.Kind.BATCH) {
          record.close();
          continue;
        }
        assertEquals(batches, record.batch());
        batches++;
        kept.add(record);
        if (kept.size() > random.nextInt(3)) {
          // the oldest holds up the producer, whatever was given back after it
          boolean old = kept.getFirst().batch() < batches - 4;
          RingRecord done = old || random.nextBoolean() ? kept.removeFirst() : kept.removeLast();
          assertTrue(Frames.isWhole(done.message(), done.batch()), "batch " + done.batch());
          done.verify();
          done.close();
        }
      }
      kept.forEach(RingRecord::close);
      return batches;
    }
  }

  /** Joins, dawdles until it is cut off, joins again; counts what was torn and not told. */
  private long readLazily(RingDirectory rings, Future<Long> written, Random random)
      throws Exception {
    long torn = 0;
    while (!written.isDone()) {
      try (RingReader reader = rings.read("stress")) {
        for (int i = 0; i < 20 && !written.isDone(); i++) {
          Optional<RingRecord> next = reader.next(PATIENCE);
          if (next.isEmpty()) {
            return torn;
          }
          try (RingRecord record = next.get()) {
            if (random.nextInt(8) == 0) {
              Thread.sleep(random.nextInt(20));
            }
            boolean whole =
                record.kind() != Frame.Kind.BATCH
                    || Frames.isWhole(record.message(), record.batch());
            record.verify();
            torn += whole ? 0 : 1;
          }
        }
      } catch (RingException e) {
        boolean told =
            e.reason() == RingException.Reason.CUT_OFF
                || e.reason() == RingException.Reason.PRODUCER_GONE;
        assertTrue(told, e.getMessage());
      }
    }
    return torn;
  }
}
