package io.penstock.arrow.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.arrow.ipc.Frame;
import io.penstock.arrow.ring.RingException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Owner, producer and consumers as four processes that live and die as the test says. */
class RingTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path temporary;

  private final Set<Long> dead = ConcurrentHashMap.newKeySet();
  private RingDirectory owner;
  private RingDirectory producer;
  private RingDirectory consumer;
  private RingDirectory other;
  private Ring ring;

  @BeforeEach
  void create() throws Exception {
    owner = process(1);
    producer = process(2);
    consumer = process(3);
    other = process(4);
    ring = owner.create("r", 64 << 10, 1);
  }

  @AfterEach
  void close() throws Exception {
    ring.close();
  }

  private RingDirectory process(long number) {
    return new RingDirectory(
        temporary.resolve("rings"),
        new RingHost(
            new ProcessTable.Identity(number, number),
            identity -> !dead.contains(identity.pid()),
            System::nanoTime,
            WordWait.best()));
  }

  private static void fails(Reason reason, Executable step) {
    RingException e = assertThrows(RingException.class, step);
    assertEquals(reason, e.reason(), e.getMessage());
  }

  private static RingRecord next(RingReader reader) throws RingException {
    return reader.next(LONG).orElseThrow();
  }

  private static void pass(RingReader reader, long number) throws RingException {
    try (RingRecord record = next(reader)) {
      assertEquals(number, record.batch());
      assertTrue(Frames.isWhole(record.message(), number));
      assertEquals(0, record.message().address() % 64);
    }
  }

  private static void batch(RingWriter writer, long number, int words) throws RingException {
    writer.write(Frames.of(Frame.Kind.BATCH, number, words));
  }

  @Test
  void recordsComeInOrderAndInPlace() throws Exception {
    try (RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", LONG)) {
      writer.write(Frames.of(Frame.Kind.SCHEMA, 0, 16));
      try (RingRecord schema = next(reader)) {
        assertEquals(Frame.Kind.SCHEMA, schema.kind());
      }
      // more than three times round, in sizes that do not fit the end
      for (int i = 0; i < 100; i++) {
        batch(writer, i, 1 + (i * 37) % 1000);
        pass(reader, i);
      }
      writer.write(Frames.of(Frame.Kind.END, 0, 1));
      next(reader).close();
      assertTrue(reader.next(LONG).isEmpty());
      assertTrue(reader.next(LONG).isEmpty());
      assertTrue(ring.progress().over());
      assertEquals(100, ring.progress().batches());
      assertEquals(0, ring.progress().unread());
    }
  }

  @Test
  void aRecordIsNotReusedBeforeItAndThoseBeforeItAreClosed() throws Exception {
    try (RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", SHORT)) {
      for (int i = 0; i < 3; i++) {
        batch(writer, i, 2000);
      }
      RingRecord first = next(reader);
      next(reader).close();
      // the second was closed, the first was not
      fails(Reason.NO_CONSUMERS, () -> batch(writer, 3, 3000));
      assertEquals(1, writer.cutOff());
      fails(Reason.CUT_OFF, first::verify);
      fails(Reason.CUT_OFF, () -> reader.next(LONG).orElseThrow().verify());
    }
  }

  @Test
  void aFullRingWaitsForItsConsumer() throws Exception {
    try (RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", LONG);
        var threads = Executors.newSingleThreadExecutor()) {
      var written =
          threads.submit(
              () -> {
                for (int i = 0; i < 20; i++) {
                  batch(writer, i, 3000);
                }
                return writer.waits();
              });
      for (int i = 0; i < 20; i++) {
        pass(reader, i);
      }
      assertTrue(written.get() <= 20);
    }
  }

  @Test
  void theRingWaitsForAnnouncedConsumers() throws Exception {
    try (RingWriter writer = producer.write("r", SHORT)) {
      for (int i = 0; i < 2; i++) {
        batch(writer, i, 3000);
      }
      fails(Reason.NO_CONSUMERS, () -> batch(writer, 2, 3000));
      try (RingReader reader = consumer.read("r")) {
        pass(reader, 0);
      }
    }
  }

  @Test
  void aDeadConsumerIsPassedOver() throws Exception {
    try (RingReader gone = other.read("r");
        RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", LONG)) {
      dead.add(4L);
      for (int i = 0; i < 20; i++) {
        batch(writer, i, 2500);
        pass(reader, i);
      }
      assertEquals(1, writer.cutOff());
      assertEquals(1, ring.progress().consumers());
    }
  }

  @Test
  void aDeadProducerIsNoticedAndReplaced() throws Exception {
    RingWriter killed = producer.write("r", LONG);
    try (RingReader reader = consumer.read("r")) {
      batch(killed, 0, 100);
      fails(Reason.BUSY, () -> other.write("r", LONG));
      dead.add(2L);
      pass(reader, 0);
      fails(Reason.PRODUCER_GONE, () -> reader.next(LONG));
      try (RingWriter next = other.write("r", LONG)) {
        assertEquals(1, next.batches());
        batch(next, 1, 100);
        pass(reader, 1);
      }
      fails(Reason.PRODUCER_GONE, () -> reader.next(LONG));
    } finally {
      killed.close();
    }
  }

  @Test
  void everybodyLearnsThatTheOwnerHasDied() throws Exception {
    try (RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", LONG)) {
      batch(writer, 0, 3000);
      batch(writer, 1, 3000);
      dead.add(1L);
      fails(Reason.OWNER_GONE, () -> batch(writer, 2, 3000));
      pass(reader, 0);
      pass(reader, 1);
      fails(Reason.OWNER_GONE, () -> reader.next(LONG));
      fails(Reason.OWNER_GONE, () -> other.write("r", LONG));
      assertEquals(1, other.sweep());
      assertFalse(Files.exists(ring.path()));
      fails(Reason.MISSING, () -> other.read("r"));
    }
  }

  @Test
  void everybodyLearnsThatTheOwnerClosedIt() throws Exception {
    try (Ring second = owner.create("second", 64 << 10, 1);
        RingReader reader = consumer.read("second");
        RingWriter writer = producer.write("second", LONG)) {
      second.close();
      fails(Reason.OWNER_GONE, () -> batch(writer, 0, 8));
      fails(Reason.OWNER_GONE, () -> reader.next(LONG));
      assertEquals(0, other.sweep());
    }
  }

  @Test
  void whoJoinsLateGetsTheSchemaAndWhatComes() throws Exception {
    try (RingReader reader = consumer.read("r");
        RingWriter writer = producer.write("r", LONG)) {
      writer.write(Frames.of(Frame.Kind.SCHEMA, 5, 16));
      next(reader).close();
      batch(writer, 0, 3000);
      pass(reader, 0);
      try (RingReader late = other.read("r")) {
        batch(writer, 1, 3000);
        try (RingRecord schema = next(late)) {
          assertEquals(Frame.Kind.SCHEMA, schema.kind());
          assertTrue(Frames.isWhole(schema.message(), 5));
        }
        pass(late, 1);
        pass(reader, 1);
      }
    }
  }

  @Test
  void whatCannotFitIsRefused() throws Exception {
    try (RingWriter writer = producer.write("r", LONG)) {
      fails(Reason.TOO_LARGE, () -> batch(writer, 0, (32 << 10) / 8));
      batch(writer, 0, (32 << 10) / 8 - 8);
      writer.cancel();
      fails(Reason.CLOSED, () -> batch(writer, 1, 8));
    }
  }

  @Test
  void silenceEndsWhenTheCallerSays() throws Exception {
    try (RingReader reader = consumer.read("r")) {
      fails(Reason.SILENT, () -> reader.next(SHORT));
    }
  }

  @Test
  void filesAreOnlyTheUsersAndNamesAreOnlyNames() throws Exception {
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(ring.path())));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(owner.folder())));
    for (String name : new String[] {"", ".", "..", "../r", "a/b", ".hidden", "a b", "ä"}) {
      fails(Reason.INVALID, () -> owner.create(name, 64 << 10, 0));
      fails(Reason.INVALID, () -> other.read(name));
      fails(Reason.INVALID, () -> other.write(name, LONG));
    }
    fails(Reason.BUSY, () -> other.create("r", 64 << 10, 0));
    fails(Reason.MISSING, () -> other.read("no"));
    Path link = owner.folder().resolve("link.ring");
    Files.createSymbolicLink(link, ring.path());
    assertThrows(java.io.IOException.class, () -> other.read("link"));
    Files.write(owner.folder().resolve("junk.ring"), new byte[100]);
    fails(Reason.MALFORMED, () -> other.read("junk"));
    try (var left = Files.list(owner.folder())) {
      assertEquals(3, left.count());
    }
  }

  @Test
  void whatACreatorLeftHalfMadeIsRemoved() throws Exception {
    Path half = owner.folder().resolve(".9-9-x.new");
    Files.write(half, new byte[10]);
    assertEquals(0, other.sweep());
    dead.add(9L);
    assertEquals(1, other.sweep());
    assertFalse(Files.exists(half));
  }

  @Test
  void withoutAFutexARingWorksAsWell() throws Exception {
    RingDirectory polling =
        new RingDirectory(
            temporary.resolve("rings"),
            new RingHost(
                new ProcessTable.Identity(5, 5), _ -> true, System::nanoTime, WordWait.polling()));
    try (RingReader reader = polling.read("r");
        RingWriter writer = polling.write("r", LONG);
        var threads = Executors.newSingleThreadExecutor()) {
      var written =
          threads.submit(
              () -> {
                for (int i = 0; i < 50; i++) {
                  batch(writer, i, 3000);
                }
                return true;
              });
      for (int i = 0; i < 50; i++) {
        pass(reader, i);
      }
      assertTrue(written.get());
    }
  }
}
