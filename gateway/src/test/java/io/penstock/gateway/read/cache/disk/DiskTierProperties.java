package io.penstock.gateway.read.cache.disk;

import static io.penstock.gateway.read.cache.disk.DiskLab.BLOCK;
import static io.penstock.gateway.read.cache.disk.DiskLab.bytes;
import static io.penstock.gateway.read.cache.disk.DiskLab.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever happens to a file, its block comes back as it was, or not at all. */
class DiskTierProperties {
  private static final DiskVersion OBJECT = version("a/key", "\"etag\"", BLOCK + 500);
  private static final byte[] DATA = bytes(500, 7);

  private static Path folder = Path.of("");
  private static byte[] intact = {};

  @BeforeContainer
  static void prepare() throws Exception {
    folder = Files.createTempDirectory("disk-tier");
    try (DiskLab lab = new DiskLab(folder, 1 << 20)) {
      lab.write(OBJECT, 1, DATA);
      intact = Files.readAllBytes(lab.files().getFirst());
    }
  }

  @AfterContainer
  static void clean() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The file as it is in the middle of being damaged, read as a restarted gateway does. */
  private static void damaged(byte[] content) throws Exception {
    FileId id = OBJECT.file(1);
    Path file = folder.resolve("penstock-blocks-1").resolve(id.folder()).resolve(id.fileName());
    Files.write(file, content);
    try (DiskLab lab = new DiskLab(folder, 1 << 20)) {
      lab.await(1);
      boolean same = Arrays.equals(content, intact);
      assertThat(lab.read(OBJECT, 1, DATA.length).map(Arrays::hashCode))
          .isEqualTo(
              same ? java.util.Optional.of(Arrays.hashCode(DATA)) : java.util.Optional.empty());
      assertThat(lab.corrupt.get()).isEqualTo(same ? 0 : 1);
      assertThat(Files.exists(file)).isEqualTo(same);
      assertThat(lab.tier().isUp()).isTrue();
    }
  }

  @Property(tries = 150)
  void aFileWithAnyByteChangedIsNeverServed(
      @ForAll @IntRange(max = 1 << 20) int place, @ForAll @IntRange(max = 255) int value)
      throws Exception {
    byte[] content = intact.clone();
    content[place % content.length] = (byte) value;
    damaged(content);
  }

  @Property(tries = 50)
  void aFileOfAnyOtherLengthIsNeverServed(@ForAll @IntRange(max = 2000) int length)
      throws Exception {
    damaged(Arrays.copyOf(intact, length));
  }

  @Property(tries = 50)
  void anyFileOfAnybodyElseIsNeverServed(@ForAll @Size(max = 800) List<Byte> content)
      throws Exception {
    byte[] foreign = new byte[content.size()];
    for (int i = 0; i < foreign.length; i++) {
      foreign[i] = content.get(i);
    }
    damaged(foreign);
  }

  /** All of it, byte by byte, without the files. */
  @Property(tries = 20)
  void everyByteOfAHeaderCounts(@ForAll @IntRange(min = 1, max = 255) int change) {
    byte[] header = RecordHeader.of(OBJECT, 1, DATA.length, 42);
    assertThat(RecordHeader.matches(header, OBJECT, 1, DATA.length)).isTrue();
    for (int i = 0; i < header.length; i++) {
      byte[] other = header.clone();
      other[i] ^= (byte) change;
      assertThat(RecordHeader.matches(other, OBJECT, 1, DATA.length)).as("byte %s", i).isFalse();
    }
  }
}
