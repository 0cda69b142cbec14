package io.penstock.sink.arena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.sink.arena.Arena;
import io.penstock.sink.arena.ArenaContract;
import io.penstock.sink.arena.ArenaException;
import io.penstock.sink.arena.HostArena;
import io.penstock.sink.arena.HostRegion;
import io.penstock.sink.arena.SharedSlab;
import io.penstock.sink.arena.SharedView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LibcudaDouble.class)
class PinnedSharedArenaTest extends ArenaContract {
  @TempDir Path folder;
  private int count;

  @Override
  protected Arena open(long capacity) {
    return CudaSources.pinnedShared(0, folder, "pinned" + count++).open().apply(capacity);
  }

  @Test
  void otherProcessesReadWhatIsLocked() {
    SharedSlab shared = SharedSlab.create(folder, "both", 4096);
    try (HostArena arena = HostArena.over(PinnedSlab.register(0, shared));
        HostRegion region = arena.allocate(1000);
        SharedView view = SharedView.open(shared.path())) {
      region.copyIn(0, MemorySegment.ofArray(random(1000, 4)));
      assertThat(view.at(region.offset(), 1000).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(random(1000, 4));
    }
  }

  @Test
  void noFileIsLeftWhenTheDeviceRefuses() throws IOException {
    LibcudaDouble.needed();
    LibcudaDouble.fail("cuMemHostRegister_v2", 2, 0);
    assertFault(ArenaException.Fault.OUT_OF_MEMORY, () -> open(4096));
    assertThat(files()).isZero();
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
