package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What every decoder owes its callers, whatever the bytes are. A decoder's own test extends this
 * and names small samples; the contract cuts, flips and splits them.
 */
abstract class DecoderContract {

  /** A sound object and the decoder for it. */
  record Sample(String name, byte[] bytes, DecodeSpec spec) {}

  private static final int THREADS = 4;

  abstract List<Sample> samples();

  /** Whether the format shows when its end is missing; text does not. */
  boolean showsItsEnd() {
    return true;
  }

  final Decoder decoder(Sample sample) {
    return Decoders.of(sample.spec(), DecodeLimits.DEFAULTS);
  }

  @Test
  void theSameBytesGiveTheSameResult() throws Exception {
    for (Sample sample : samples()) {
      byte[] first = Decoding.run(decoder(sample), sample.bytes(), 7);
      assertThat(Decoding.run(decoder(sample), sample.bytes(), 7))
          .as(sample.name())
          .isEqualTo(first);
    }
  }

  @Test
  void partsAreOneObject() throws Exception {
    for (Sample sample : samples()) {
      byte[] whole = Decoding.run(decoder(sample), sample.bytes(), 0);
      int length = sample.bytes().length;
      for (int cut : new int[] {1, length / 3, length / 2, length - 1}) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes = Decoding.offHeap(arena, sample.bytes());
          ObjectBytes parts = ObjectBytes.of(bytes.asSlice(0, cut), bytes.asSlice(cut));
          assertThat(Decoding.run(decoder(sample), parts, 0))
              .as("%s in two at %d", sample.name(), cut)
              .isEqualTo(whole);
        }
      }
    }
  }

  @Test
  void anEmptyObjectIsTruncated() {
    for (Sample sample : samples()) {
      assertThat(Decoding.fault(decoder(sample), new byte[0]))
          .as(sample.name())
          .contains(DecodeFault.TRUNCATED);
    }
  }

  @Test
  void everyTruncationIsAnAnswer() {
    for (Sample sample : samples()) {
      Decoder decoder = decoder(sample);
      for (int length = 1; length < sample.bytes().length; length++) {
        var fault = Decoding.fault(decoder, java.util.Arrays.copyOf(sample.bytes(), length));
        if (showsItsEnd()) {
          assertThat(fault).as("%s cut to %d bytes", sample.name(), length).isPresent();
        }
      }
    }
  }

  @Test
  void everyFlippedBitIsAnAnswer() {
    for (Sample sample : samples()) {
      Decoder decoder = decoder(sample);
      for (int at = 0; at < sample.bytes().length; at++) {
        byte[] flipped = sample.bytes().clone();
        flipped[at] ^= (byte) (1 << (at % Byte.SIZE));
        // an exception that is no DecodeException fails the test
        var _ = Decoding.fault(decoder, flipped);
      }
    }
  }

  @Test
  void aLongObjectIsRefused() {
    for (Sample sample : samples()) {
      DecodeLimits limits = DecodeLimits.DEFAULTS.withSourceBytes(sample.bytes().length - 1);
      assertThat(Decoding.fault(Decoders.of(sample.spec(), limits), sample.bytes()))
          .as(sample.name())
          .contains(DecodeFault.TOO_LARGE);
    }
  }

  @Test
  void aDestinationOfAnotherLengthIsRefused() {
    for (Sample sample : samples()) {
      if (decoder(sample) instanceof TensorDecoder decoder) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment small = arena.allocate(decoder.tensor().bytesPerSample() - 1);
          ObjectBytes bytes = ObjectBytes.of(Decoding.offHeap(arena, sample.bytes()));
          assertThatThrownBy(() -> decoder.decode(bytes, 0, small))
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  @Test
  void threadsDoNotDisturbEachOther() throws Exception {
    for (Sample sample : samples()) {
      Decoder decoder = decoder(sample);
      Map<Long, byte[]> expected = new ConcurrentHashMap<>();
      for (long item = 0; item < THREADS; item++) {
        expected.put(item, Decoding.run(decoder, sample.bytes(), item));
      }
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (long first = 0; first < THREADS; first++) {
        long own = first;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int i = 0; i < 10; i++) {
                          long item = (own + i) % THREADS;
                          assertThat(Decoding.run(decoder, sample.bytes(), item))
                              .isEqualTo(expected.get(item));
                        }
                      } catch (Throwable e) {
                        failure.set(e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).as(sample.name()).isNull();
    }
  }
}
