package io.penstock.sink.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedArenaTest extends ArenaContract {
  private static final Path PROC = Path.of("/proc");

  @TempDir Path folder;
  private int count;

  @Override
  protected Arena open(long capacity) {
    return HostArena.shared(folder, "test" + count++, capacity);
  }

  @Test
  void anotherMappingSeesTheSameBytes() {
    SharedSlab slab = SharedSlab.create(folder, "seen", 1 << 16);
    try (HostArena arena = HostArena.over(slab);
        HostRegion before = arena.allocate(100);
        HostRegion region = arena.allocate(1000);
        SharedView view = SharedView.open(slab.path())) {
      region.copyIn(0, MemorySegment.ofArray(random(1000, 9)));
      MemorySegment seen = view.at(region.offset(), 1000);
      assertThat(seen.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(random(1000, 9));
      assertThat(seen.isReadOnly()).isTrue();
      assertThat(seen.address()).isNotEqualTo(region.address());
      assertThat(view.isOrphaned()).isFalse();
      assertThatThrownBy(() -> view.at(1 << 16, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(before.offset()).isZero();
    }
  }

  @Test
  void theFileGoesWithTheArena() throws IOException {
    HostArena arena = HostArena.shared(folder, "gone", 4096);
    assertThat(files()).hasSize(1);
    HostRegion held = arena.allocate(1);
    assertFault(ArenaException.Fault.LEAKED, arena::close);
    assertThat(files()).hasSize(1);
    held.close();
    assertThat(files()).isEmpty();
  }

  @Test
  void twoArenasOfOneNameAreRefused() throws IOException {
    HostArena first = HostArena.shared(folder, "same", 4096);
    assertFault(ArenaException.Fault.UNAVAILABLE, () -> HostArena.shared(folder, "same", 4096));
    assertThat(files()).as("the first keeps its file").hasSize(1);
    first.close();
  }

  @Test
  void noFolderIsAnError() {
    assertFault(
        ArenaException.Fault.UNAVAILABLE,
        () -> HostArena.shared(folder.resolve("none"), "lost", 4096));
    assertThatThrownBy(() -> HostArena.shared(folder, "../up", 4096))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNoArenaIsNotMapped() throws IOException {
    Path file = folder.resolve("other");
    Files.write(file, new byte[10_000]);
    assertFault(ArenaException.Fault.UNAVAILABLE, () -> SharedView.open(file));
    Files.write(file, new byte[10]);
    assertFault(ArenaException.Fault.UNAVAILABLE, () -> SharedView.open(file));
    assertFault(ArenaException.Fault.UNAVAILABLE, () -> SharedView.open(folder.resolve("none")));
  }

  @Test
  void anotherVersionOrLengthIsRefused() throws IOException {
    SharedSlab slab = SharedSlab.create(folder, "whole", 4096);
    byte[] whole = Files.readAllBytes(slab.path());
    slab.close();
    for (int at : new int[] {0, 8, 12, 16}) {
      byte[] changed = whole.clone();
      changed[at]++;
      Path file = Files.write(folder.resolve("changed"), changed);
      assertFault(ArenaException.Fault.UNAVAILABLE, () -> SharedView.open(file));
    }
    Path file = Files.write(folder.resolve("whole"), whole);
    SharedView.open(file).close();
  }

  @Test
  void whatAKilledProcessLeftIsFoundAndRemoved() throws Exception {
    Process owner = owner();
    Path file;
    try (BufferedReader out = owner.inputReader(StandardCharsets.UTF_8)) {
      file = Path.of(out.readLine());
      assertThat(new SharedFiles(folder, PROC).sweep()).as("its owner lives").isEmpty();
      try (SharedView view = SharedView.open(file)) {
        assertThat(view.isOrphaned()).isFalse();
        owner.destroyForcibly();
        assertThat(owner.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(view.isOrphaned()).isTrue();
        assertThat(view.at(0, 1).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
      }
    } finally {
      owner.destroyForcibly();
    }
    assertThat(file).exists();
    HostArena next = HostArena.shared(folder, "next", 4096);
    assertThat(file).doesNotExist();
    assertThat(files()).hasSize(1);
    next.close();
  }

  @Test
  void aFileWithoutAHeaderIsRemovedWhenItsOwnerIsDead() throws IOException {
    Owner self = Owner.self(PROC);
    SharedFiles files = new SharedFiles(folder, PROC);
    Path earlier = Files.createFile(files.path("a", new Owner(self.pid(), 1, self.namespace())));
    Path elsewhere =
        Files.createFile(files.path("b", new Owner(self.pid(), 1, self.namespace() + 1)));
    Path mine = Files.createFile(files.path("c", self));
    Path foreign = Files.createFile(folder.resolve("penstock-arena.not-a-number"));
    assertThat(files.sweep()).containsExactly(earlier);
    assertThat(files()).containsExactlyInAnyOrder(elsewhere, mine, foreign);
  }

  private Process owner() throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SharedOwner.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Another process with an arena, which waits to be killed. */
  static final class SharedOwner {
    private SharedOwner() {}

    public static void main(String[] folder) throws Exception {
      SharedSlab slab = SharedSlab.create(Path.of(folder[0]), "killed", 4096);
      slab.memory().asByteBuffer().put(ByteBuffer.wrap(new byte[] {42}));
      System.out.println(slab.path());
      Thread.sleep(TimeUnit.MINUTES.toMillis(2));
    }
  }
}
