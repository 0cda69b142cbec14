package io.penstock.sink.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.ring.Ring;
import io.penstock.arrow.ring.RingDirectory;
import io.penstock.arrow.ring.RingException;
import io.penstock.arrow.ring.RingHost;
import io.penstock.arrow.ring.RingWriter;
import io.penstock.sink.client.SampleStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream as a gateway sends it, through the ring, to trainers. */
class RingSinkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int BATCHES = 6;

  @TempDir Path folder;
  private RingDirectory rings;
  private Ring ring;

  @BeforeEach
  void create() throws Exception {
    rings = new RingDirectory(folder, RingHost.linux(System::nanoTime));
    ring = rings.create("r", 1 << 20, 2);
  }

  @AfterEach
  void close() throws Exception {
    ring.close();
  }

  private RingSink join(int index, int of) throws Exception {
    return RingSink.join(rings, "r", new RingSink.Share(index, of), PATIENCE);
  }

  /** The end of batch {@code batch} in a stream; of the schema for -1. */
  private static int end(int batch) {
    return SampleStream.complete(0, batch + 1).length - 8;
  }

  /** Message by message, in pieces as a socket gives them; one came in vain before. */
  private static void send(RingTap tap, int from, int to) {
    byte[] whole = SampleStream.complete(0, BATCHES);
    int at = from < 0 ? 0 : end(from - 1);
    for (int batch = from; batch < to; batch++) {
      int end = end(batch);
      tap.received(ByteBuffer.wrap(whole, at, (end - at) / 2));
      tap.drop();
      for (; at < end; at += Math.min(1000, end - at)) {
        tap.received(ByteBuffer.wrap(whole, at, Math.min(1000, end - at)));
      }
      tap.keep();
    }
  }

  private static void finish(RingTap tap) {
    byte[] whole = SampleStream.complete(0, BATCHES);
    tap.received(ByteBuffer.wrap(whole, whole.length - 8, 8));
    tap.keep();
  }

  private static List<Long> rows(RingSink sink) throws Exception {
    List<Long> rows = new ArrayList<>();
    for (var next = sink.next(); next.isPresent(); next = sink.next()) {
      try (Batch batch = next.get()) {
        for (int row = 0; row < batch.rows(); row++) {
          long index = batch.column("index").integer(row);
          rows.add(index);
          var payload = batch.column("payload").bytes(row).orElseThrow();
          assertThat(payload.toArray(ValueLayout.JAVA_BYTE))
              .isEqualTo(SampleStream.payload((int) index));
        }
      }
    }
    return rows;
  }

  private static void fails(RingException.Reason reason, Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(RingException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void ranksShareAStream() throws Exception {
    try (RingSink even = join(0, 2);
        RingSink odd = join(1, 2);
        RingWriter writer = rings.write("r", PATIENCE)) {
      RingTap tap = new RingTap(writer);
      send(tap, -1, BATCHES);
      finish(tap);
      assertThat(rows(even)).containsExactly(0L, 1L, 4L, 5L, 8L, 9L);
      assertThat(rows(odd)).containsExactly(2L, 3L, 6L, 7L, 10L, 11L);
      assertThat(ring.progress().unread()).isZero();
    }
  }

  @Test
  void columnsLieInTheRingUntilTheBatchIsClosed() throws Exception {
    try (RingSink sink = join(0, 1);
        RingSink other = join(0, 1);
        RingWriter writer = rings.write("r", PATIENCE)) {
      send(new RingTap(writer), -1, 1);
      Batch mine = sink.next().orElseThrow();
      Batch theirs = other.next().orElseThrow();
      var view = mine.column("payload").buffers().get(2);
      assertThat(view.address() % 64).isZero();
      // two mappings of the same memory, each at an address of its own
      assertThat(view.mismatch(theirs.column("payload").buffers().get(2))).isEqualTo(-1);
      assertThat(ring.progress().unread()).isPositive();
      mine.close();
      theirs.close();
      mine.close();
      assertThat(ring.progress().unread()).isZero();
    }
  }

  @Test
  void aStreamThatIsLeftOffIsAnError() throws Exception {
    try (RingSink sink = join(0, 1)) {
      try (RingWriter writer = rings.write("r", PATIENCE)) {
        send(new RingTap(writer), -1, 2);
      }
      assertThatThrownBy(() -> rows(sink))
          .satisfies(failure -> fails(RingException.Reason.PRODUCER_GONE, failure));
    }
  }

  @Test
  void whoIsTooSlowIsToldWhenItClosesItsBatch() throws Exception {
    try (RingSink sink = join(0, 1);
        RingSink _ = join(0, 1);
        RingWriter writer = rings.write("r", Duration.ofMillis(20))) {
      RingTap tap = new RingTap(writer);
      send(tap, -1, 1);
      Batch held = sink.next().orElseThrow();
      // until the ring is full and nobody is left who could release anything
      assertThatThrownBy(
              () -> {
                while (true) {
                  send(tap, 1, BATCHES);
                }
              })
          .hasMessageContaining("no consumer released anything in time");
      assertThatThrownBy(held::close)
          .satisfies(failure -> fails(RingException.Reason.CUT_OFF, failure));
    }
  }
}
