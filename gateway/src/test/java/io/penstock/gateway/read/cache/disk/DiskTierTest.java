package io.penstock.gateway.read.cache.disk;

import static io.penstock.gateway.read.cache.disk.DiskLab.BLOCK;
import static io.penstock.gateway.read.cache.disk.DiskLab.bytes;
import static io.penstock.gateway.read.cache.disk.DiskLab.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTierTest {
  private static final DiskVersion OBJECT = version("key", "\"a\"", 2 * BLOCK + 100);
  private static final long ROOM = 1 << 20;

  @TempDir Path folder;

  @Test
  void blocksSurviveARestart() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      lab.write(OBJECT, 2, bytes(100, 2));
      assertThat(lab.read(OBJECT, 0, BLOCK)).contains(bytes(BLOCK, 1));
    }
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.await(2);
      assertThat(lab.tier().mayHold(new DiskName("bkt", "key", ""), 2)).isTrue();
      assertThat(lab.tier().mayHold(new DiskName("bkt", "key", ""), 1)).isFalse();
      assertThat(lab.tier().mayHold(new DiskName("bkt", "key", "v"), -1)).isFalse();
      assertThat(lab.tier().holds(OBJECT, 1)).isFalse();
      assertThat(lab.read(OBJECT, 0, BLOCK)).contains(bytes(BLOCK, 1));
      assertThat(lab.read(OBJECT, 2, 100)).contains(bytes(100, 2));
      assertThat(lab.tier().bytes()).isEqualTo(2 * BLOCK + 4096);
    }
  }

  @Test
  void anotherVersionIsNotServed() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      for (DiskVersion other :
          List.of(
              version("key", "\"b\"", 2 * BLOCK + 100),
              version("key", "\"a\"", 2 * BLOCK),
              new DiskVersion(
                  new DiskName("bkt", "key", ""), "\"a\"", "now", 2 * BLOCK + 100, BLOCK),
              new DiskVersion(
                  new DiskName("bkt", "key", "v"), "\"a\"", "then", 2 * BLOCK + 100, BLOCK),
              version("other", "\"a\"", 2 * BLOCK + 100))) {
        assertThat(lab.tier().holds(other, 0)).isFalse();
        assertThat(lab.read(other, 0, BLOCK)).isEmpty();
      }
    }
  }

  @Test
  void aFileUnderTheNameOfAnotherIsDeleted() throws Exception {
    DiskVersion other = version("other", "\"a\"", 2 * BLOCK + 100);
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      lab.write(other, 0, bytes(BLOCK, 2));
      Files.copy(
          file(OBJECT, 0), file(other, 0), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      assertThat(lab.read(other, 0, BLOCK)).isEmpty();
      assertThat(lab.corrupt).hasValue(1);
      assertThat(lab.files()).containsExactly(file(OBJECT, 0));
      assertThat(lab.tier().holds(other, 0)).isFalse();
    }
  }

  private Path file(DiskVersion version, int block) {
    FileId id = version.file(block);
    return folder.resolve("penstock-blocks-1").resolve(id.folder()).resolve(id.fileName());
  }

  @Test
  void theOldestGoFirstUnlessTheyAreRead() throws Exception {
    try (DiskLab lab = new DiskLab(folder, 4L * 2 * BLOCK)) {
      for (int i = 0; i < 4; i++) {
        lab.write(version("k" + i, "\"a\"", BLOCK), 0, bytes(BLOCK, i));
      }
      assertThat(lab.read(version("k0", "\"a\"", BLOCK), 0, BLOCK)).isPresent();
      lab.write(version("k4", "\"a\"", BLOCK), 0, bytes(BLOCK, 4));
      assertThat(lab.tier().holds(version("k0", "\"a\"", BLOCK), 0)).isTrue();
      assertThat(lab.tier().holds(version("k1", "\"a\"", BLOCK), 0)).isFalse();
      assertThat(lab.files()).hasSize(4);
      assertThat(lab.tier().bytes()).isLessThanOrEqualTo(4L * 2 * BLOCK);
    }
  }

  @Test
  void aSmallerSizeIsKeptAfterARestart() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      for (int i = 0; i < 8; i++) {
        lab.write(version("k" + i, "\"a\"", BLOCK), 0, bytes(BLOCK, i));
      }
    }
    try (DiskLab lab = new DiskLab(folder, 2L * 2 * BLOCK)) {
      lab.await(2);
      lab.write(version("k8", "\"a\"", BLOCK), 0, bytes(BLOCK, 8));
      assertThat(lab.files()).hasSize(2);
    }
  }

  @Test
  void aBlockThatNeverFitsIsDropped() throws Exception {
    try (DiskLab lab = new DiskLab(folder, BLOCK)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      assertThat(lab.dropped).hasValue(1);
      assertThat(lab.files()).isEmpty();
      assertThat(lab.tier().isUp()).isTrue();
    }
  }

  @Test
  void whatTheDiskCannotFollowIsDropped() throws Exception {
    int large = 16 << 20;
    try (DiskLab lab = new DiskLab(folder, 1L << 30)) {
      List<ByteBuf> blocks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        ByteBuf block = Unpooled.directBuffer(large, large);
        blocks.add(block);
        lab.tier().keep(version("k" + i, "\"a\"", large), 0, block);
        // never more than what may wait, however fast or slow the disk is
        assertThat(blocks.stream().filter(it -> it.refCnt() > 0).count()).isLessThanOrEqualTo(3);
      }
      lab.tier().close();
      assertThat(blocks).allMatch(block -> block.refCnt() == 0);
      assertThat(lab.written.get() + lab.dropped.get()).isEqualTo(8);
      assertThat(lab.written.get()).isPositive();
    }
  }

  @Test
  void whatWasHalfWrittenOrIsNotOursIsDeletedAtTheStart() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
    }
    Path whole = file(OBJECT, 0);
    Path half = whole.resolveSibling(file(OBJECT, 1).getFileName() + ".part");
    Files.write(half, bytes(BLOCK, 3));
    Path foreign = Files.writeString(whole.resolveSibling("notes.txt"), "hello");
    Path outside = Files.writeString(folder.resolve("mine.txt"), "not in the gateway's folder");
    Path link = Files.createSymbolicLink(whole.resolveSibling("link"), outside);
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.await(1);
      assertThat(List.of(half, foreign)).noneMatch(Files::exists);
      assertThat(Files.isSymbolicLink(link)).isFalse();
      assertThat(outside).hasContent("not in the gateway's folder");
      assertThat(lab.tier().holds(OBJECT, 1)).isFalse();
    }
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      Path elsewhere = folder.resolve("elsewhere");
      Files.move(file(OBJECT, 0), elsewhere);
      Files.createSymbolicLink(file(OBJECT, 0), elsewhere);
      assertThat(lab.read(OBJECT, 0, BLOCK)).isEmpty();
      assertThat(elsewhere).exists();
    }
  }

  @Test
  void aForgottenObjectIsDeleted() throws Exception {
    DiskVersion other = version("other", "\"a\"", BLOCK);
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      lab.write(version("key", "\"b\"", BLOCK), 0, bytes(BLOCK, 2));
      lab.tier().forget(new DiskName("bkt", "key", ""));
      assertThat(lab.tier().holds(OBJECT, 0)).isFalse();
      lab.write(other, 0, bytes(BLOCK, 3));
      assertThat(lab.files()).containsExactly(file(other, 0));
    }
  }

  @Test
  void aFolderThatIsDeletedEndsTheTierAndNothingElse() throws Exception {
    try (DiskLab lab = new DiskLab(folder.resolve("tier"), ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      try (Stream<Path> all = Files.walk(folder.resolve("tier"))) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      assertThat(lab.read(OBJECT, 0, BLOCK)).isEmpty();
      assertThat(lab.tier().isUp()).isTrue();
      lab.write(OBJECT, 1, bytes(BLOCK, 2));
      assertThat(lab.tier().isUp()).isFalse();
      assertThat(lab.tier().holds(OBJECT, 1)).isFalse();
      lab.write(OBJECT, 1, bytes(BLOCK, 2));
      assertThat(lab.read(OBJECT, 1, BLOCK)).isEmpty();
    }
  }

  @Test
  void theFolderIsForTheGatewayOnly() throws Exception {
    Path made = folder.resolve("a/b");
    try (DiskLab lab = new DiskLab(made, ROOM)) {
      lab.write(OBJECT, 0, bytes(BLOCK, 1));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(lab.files().getFirst())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void aFolderThatOthersCanWriteIsRefused() throws Exception {
    new DiskLab(folder, ROOM).close();
    Files.setPosixFilePermissions(
        folder.resolve("penstock-blocks-1"), PosixFilePermissions.fromString("rwxrwx---"));
    assertThatThrownBy(() -> new DiskLab(folder, ROOM))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("can be written by others");
  }

  @Test
  void twoGatewaysDoNotShareAFolder() throws Exception {
    try (DiskLab lab = new DiskLab(folder, ROOM)) {
      assertThatThrownBy(() -> new DiskLab(folder, ROOM))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("in use by another gateway");
      assertThat(lab.tier().isUp()).isTrue();
    }
    new DiskLab(folder, ROOM).close();
  }

  @Test
  void aPathThatIsNoFolderIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "", StandardOpenOption.CREATE);
    assertThatThrownBy(() -> new DiskLab(file, ROOM))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cache.disk.path: " + file)
        .hasMessageContaining("is not a folder that can be written");
  }
}
