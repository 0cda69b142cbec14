package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarIndexerTest {

  private static final String LONG = "d".repeat(90) + "/" + "n".repeat(120) + ".jpg";

  @Test
  void filesAreFoundWhereTheyLie() throws Exception {
    byte[] archive =
        new TarWriter()
            .entry("a/1.jpg", '0', "first")
            .entry("a", '5', "")
            .entry("a/link", '2', "")
            .entry("a/1.cls", '\0', "7")
            .pax("path", "ünïcode.txt")
            .entry("replaced", '0', "named by pax")
            .longName(LONG)
            .entry("cut", '0', "long")
            .end();
    TarIndex index = index(archive);
    assertThat(index.entries())
        .extracting(TarEntry::name)
        .containsExactly("a/1.jpg", "a/1.cls", "ünïcode.txt", LONG);
    assertThat(content(archive, index, "a/1.jpg")).isEqualTo("first");
    assertThat(content(archive, index, "a/1.cls")).isEqualTo("7");
    assertThat(content(archive, index, "ünïcode.txt")).isEqualTo("named by pax");
    assertThat(content(archive, index, LONG)).isEqualTo("long");
    assertThat(index.find("replaced")).isEmpty();
  }

  @Test
  void anySplitGivesTheSameIndex() throws Exception {
    byte[] archive = new TarWriter().longName(LONG).entry("x", '0', "1").entry("y", '0', "2").end();
    List<TarEntry> expected = index(archive).entries();
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      TarIndexer indexer = new TarIndexer(DecodeLimits.DEFAULTS);
      int at = 0;
      while (at < archive.length) {
        int count = Math.min(archive.length - at, 1 + random.nextInt(700));
        indexer.accept(at, MemorySegment.ofArray(Arrays.copyOfRange(archive, at, at + count)));
        at += count;
      }
      assertThat(indexer.finish(archive.length).entries()).isEqualTo(expected);
    }
  }

  @Test
  void contentsNeedNotBeFetched() throws Exception {
    byte[] archive =
        new TarWriter().entry("x", '0', "c".repeat(100_000)).entry("y", '0', "2").end();
    TarIndexer indexer = new TarIndexer(DecodeLimits.DEFAULTS);
    int fetched = 0;
    while (!indexer.ended()) {
      int at = (int) indexer.position();
      indexer.accept(at, MemorySegment.ofArray(Arrays.copyOfRange(archive, at, at + 512)));
      fetched += 512;
    }
    assertThat(indexer.finish(archive.length).entries()).hasSize(2);
    assertThat(fetched).isEqualTo(3 * 512);
  }

  @Test
  void everyTruncationIsTyped() throws Exception {
    byte[] archive = new TarWriter().longName(LONG).entry("x", '0', "1").entry("y", '0', "2").end();
    // the end is two empty blocks, of which one suffices
    for (int length = 0; length < archive.length - 512; length++) {
      byte[] cut = Arrays.copyOf(archive, length);
      DecodeException answer = catchThrowableOfType(DecodeException.class, () -> index(cut));
      assertThat(answer).as("cut to %d bytes", length).isNotNull();
      assertThat(answer.fault()).isEqualTo(DecodeFault.TRUNCATED);
    }
  }

  @Test
  void flippedBitsAreAnswers() {
    byte[] archive = new TarWriter().pax("size", "1").entry("x", '0', "1").end();
    for (int bit = 0; bit < archive.length * Byte.SIZE; bit++) {
      byte[] flipped = archive.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      try {
        index(flipped);
      } catch (DecodeException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  @Test
  void whatCannotBeIndexedIsRefused() {
    assertFault(new TarWriter().entry("x", 'S', "").end(), DecodeFault.UNSUPPORTED);
    assertFault(new TarWriter().entry("x", 'M', "").end(), DecodeFault.UNSUPPORTED);
    assertFault(
        new TarWriter().pax("GNU.sparse.major", "1").entry("x", '0', "").end(),
        DecodeFault.UNSUPPORTED);
    assertFault(new TarWriter().pax("size", "-1").entry("x", '0', "").end(), DecodeFault.CORRUPT);
    assertFault(
        new TarWriter().pax("size", Long.toString(Long.MAX_VALUE)).entry("x", '0', "").end(),
        DecodeFault.CORRUPT);
    assertFault("no archive, but long enough. ".repeat(40).getBytes(), DecodeFault.CORRUPT);
  }

  @Test
  void aMillionEntriesAreTooMany() {
    byte[] archive = new TarWriter().entry("x", '0', "1").entry("y", '0', "2").end();
    TarIndexer indexer = new TarIndexer(DecodeLimits.DEFAULTS.withEntries(1));
    assertThatThrownBy(() -> indexer.accept(0, MemorySegment.ofArray(archive)))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(DecodeFault.TOO_LARGE));
  }

  @Test
  void neighboursWithOneStemAreASample() throws Exception {
    TarIndex index =
        index(
            new TarWriter()
                .entry("s/0001.JPG", '0', "1")
                .entry("s/0001.seg.png", '0', "2")
                .entry("README", '0', "")
                .entry("s/.hidden", '0', "")
                .entry("s/0002.jpg", '0', "3")
                .end());
    List<TarIndex.Sample> samples = index.samples();
    assertThat(samples).extracting(TarIndex.Sample::key).containsExactly("s/0001", "s/0002");
    assertThat(samples.getFirst().members().keySet()).containsExactly("jpg", "seg.png");
    TarIndex twice = index(new TarWriter().entry("a.x", '0', "").entry("a.x", '0', "").end());
    assertThatThrownBy(twice::samples).isInstanceOf(DecodeException.class);
  }

  @Test
  void gnuTarAgrees(@TempDir Path folder) throws Exception {
    assumeThat(Path.of("/usr/bin/tar")).as("GNU tar").exists();
    Files.createDirectories(folder.resolve("in/" + "d".repeat(120)));
    Files.writeString(folder.resolve("in/a.txt"), "a");
    Files.writeString(folder.resolve("in/" + "d".repeat(120) + "/b.txt"), "b".repeat(1000));
    for (String format : List.of("gnu", "ustar", "pax")) {
      if (format.equals("ustar")) {
        Files.deleteIfExists(folder.resolve("in/" + "d".repeat(120) + "/b.txt"));
        Files.deleteIfExists(folder.resolve("in/" + "d".repeat(120)));
      }
      byte[] archive = tar(folder, format);
      TarIndex index = index(archive);
      assertThat(content(archive, index, "in/a.txt")).as(format).isEqualTo("a");
      if (format.equals("gnu")) {
        assertThat(content(archive, index, "in/" + "d".repeat(120) + "/b.txt")).hasSize(1000);
      }
    }
  }

  private static byte[] tar(Path folder, String format) throws IOException, InterruptedException {
    Path file = folder.resolve(format + ".tar");
    Process tar =
        new ProcessBuilder("/usr/bin/tar", "--format=" + format, "-cf", file.toString(), "in")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    return Files.readAllBytes(file);
  }

  private static TarIndex index(byte[] archive) throws DecodeException {
    TarIndexer indexer = new TarIndexer(DecodeLimits.DEFAULTS);
    indexer.accept(0, MemorySegment.ofArray(archive));
    return indexer.finish(archive.length);
  }

  private static String content(byte[] archive, TarIndex index, String name) {
    TarEntry entry = index.find(name).orElseThrow();
    return new String(archive, (int) entry.offset(), (int) entry.length(), StandardCharsets.UTF_8);
  }

  private static void assertFault(byte[] archive, DecodeFault fault) {
    DecodeException answer = catchThrowableOfType(DecodeException.class, () -> index(archive));
    assertThat(answer).isNotNull();
    assertThat(answer.fault()).isEqualTo(fault);
  }
}
