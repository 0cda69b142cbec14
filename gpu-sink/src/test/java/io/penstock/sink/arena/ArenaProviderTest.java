package io.penstock.sink.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArenaProviderTest {
  private static final ArenaSource NO_DEVICE =
      new ArenaSource(
          ArenaKind.CUDA,
          capacity -> {
            throw new ArenaException(ArenaException.Fault.UNAVAILABLE, "no driver");
          });

  private final ArenaProvider provider = new ArenaProvider(List.of(ArenaSource.heap(), NO_DEVICE));

  @Test
  void theBestThatOpensIsTakenAndTheReasonsAreKept() {
    ArenaProvider.Choice choice = provider.best(4096);
    try (Arena arena = choice.arena()) {
      assertThat(arena.kind()).isEqualTo(ArenaKind.HEAP);
      assertThat(choice.attempts())
          .containsExactly(
              new ArenaProvider.Attempt(ArenaKind.CUDA, false, "no driver"),
              new ArenaProvider.Attempt(ArenaKind.HEAP, true, "opened"));
      assertThat(choice.report()).isEqualTo("heap; cuda: no driver");
    }
  }

  @Test
  void aForcedChoiceOpensOrFails() {
    provider.only(ArenaKind.HEAP, 4096).arena().close();
    assertThatThrownBy(() -> provider.only(ArenaKind.CUDA, 4096))
        .isInstanceOf(ArenaException.class)
        .hasMessageContaining("cuda: no driver");
    assertThatThrownBy(() -> provider.only(ArenaKind.SHARED, 4096))
        .isInstanceOf(ArenaException.class)
        .hasMessageContaining("choose one of cuda, heap");
  }

  @Test
  void nothingToOpenSaysEveryReason() {
    ArenaProvider none = new ArenaProvider(List.of(NO_DEVICE));
    assertThatThrownBy(() -> none.best(1))
        .isInstanceOf(ArenaException.class)
        .hasMessage("no arena of 1 bytes: cuda: no driver");
  }

  @Test
  void kindsAreNamedAsOptionsNameThem() {
    assertThat(ArenaKind.named("pinned")).contains(ArenaKind.PINNED);
    assertThat(ArenaKind.named("PINNED")).isEmpty();
    assertThat(ArenaKind.names()).isEqualTo("cuda, pinned, shared, heap");
  }
}
