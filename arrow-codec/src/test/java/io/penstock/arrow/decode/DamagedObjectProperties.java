package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Damaged objects get an answer: no other exception, no crash of the process, no hang, nothing
 * written outside of the destination, no memory kept. Short in every build; for minutes on demand:
 *
 * <pre>mvn -pl arrow-codec verify -Dtest=DamagedObjectProperties -Dfuzz.seconds=600</pre>
 */
class DamagedObjectProperties {

  private static final DecodeLimits LIMITS =
      DecodeLimits.DEFAULTS.withPixels(1 << 22).withExpandedBytes(1 << 28).withEntries(100_000);

  /** What may be kept by allocators of C and of Java, and by code compiled late. */
  private static final long SLACK_BYTES = 192L << 20;

  private static final List<DecoderContract.Sample> SAMPLES = samples();

  private static List<DecoderContract.Sample> samples() {
    ImageSpec small =
        ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 8, 8))
            .with(new Framing.RandomResizedCrop(0.1, 1, 0.75, 1.33))
            .with(new Augmentation(1, 0.5));
    ImageSpec upright = ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 8, 8, 1)).withUpright(true);
    ArraySpec array = ArraySpec.of(TensorSpec.plain(DType.FLOAT32, 2, 3, 4));
    List<DecoderContract.Sample> samples = new ArrayList<>();
    Stream.of(
            "small.jpg",
            "small-progressive.jpg",
            "small-cmyk.jpg",
            "small-sideways.jpg",
            "small.png",
            "small-palette.png",
            "small-16bit.png",
            "small.webp",
            "small-lossless.webp",
            "small-alpha.webp")
        .forEach(
            name -> {
              samples.add(sample(name, small));
              samples.add(sample(name, upright));
            });
    Stream.of("fortran.npy", "version3.npy", "deflated.npz")
        .forEach(name -> samples.add(sample(name, array)));
    samples.add(sample("stored.npz", array.withMember("x")));
    samples.addAll(new ArrayDecoderTest().samples());
    samples.addAll(new CsvDecoderTest().samples());
    samples.addAll(new JsonLinesDecoderTest().samples());
    Stream.of("snappy.parquet", "zstd.parquet", "lz4.parquet", "dictionary.parquet")
        .forEach(name -> samples.add(sample(name, ParquetSpec.of())));
    return samples;
  }

  private static DecoderContract.Sample sample(String name, DecodeSpec spec) {
    return new DecoderContract.Sample(name, Decoding.resource(name), spec);
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void aDamagedObjectGetsAnAnswer(@ForAll long seed) {
    damage(seed);
  }

  @Property(tries = 2000, shrinking = ShrinkingMode.OFF)
  void aDamagedArchiveGetsAnAnswer(@ForAll long seed) {
    byte[] archive =
        new TarWriter()
            .longName("n".repeat(200))
            .entry("x", '0', "1")
            .pax("size", "3")
            .entry("y.txt", '0', "abc")
            .end();
    byte[] damaged = Mutation.of(archive, new SplittableRandom(seed));
    TarIndexer indexer = new TarIndexer(LIMITS);
    try {
      indexer.accept(0, MemorySegment.ofArray(damaged));
      TarIndex index = indexer.finish(damaged.length);
      assertThat(index.entries()).allMatch(e -> e.offset() + e.length() <= damaged.length);
      var _ = index.samples();
    } catch (DecodeException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "fuzz.seconds", matches = "\\d+")
  void memoryStaysFlat() throws IOException {
    long until = System.nanoTime() + Long.getLong("fuzz.seconds") * 1_000_000_000L;
    long seed = System.nanoTime();
    long rounds = 0;
    long settled = 0;
    while (System.nanoTime() < until) {
      damage(seed + rounds++);
      if (rounds == 20_000) {
        settled = resident();
      }
    }
    System.out.printf(
        "%d damaged objects, resident memory %d MiB, after the first 20000 %d MiB%n",
        rounds, resident() >> 20, settled >> 20);
    assertThat(rounds).isGreaterThan(20_000);
    assertThat(resident()).isLessThan(settled + SLACK_BYTES);
  }

  private static void damage(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DecoderContract.Sample sample = SAMPLES.get(random.nextInt(SAMPLES.size()));
    byte[] damaged = Mutation.of(sample.bytes(), random);
    try {
      var _ = Decoding.fault(Decoders.of(sample.spec(), LIMITS), damaged);
    } catch (Throwable e) {
      throw new AssertionError(
          "%s, seed %d: %s"
              .formatted(sample.name(), seed, new String(damaged, StandardCharsets.ISO_8859_1)),
          e);
    }
  }

  private static long resident() throws IOException {
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
    return Long.parseLong(pages) * 4096;
  }
}
