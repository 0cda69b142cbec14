package io.penstock.sink.arena;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Opens the best arena that this machine has, and says why it is that one. Which memory is better
 * is the order of {@link ArenaKind}.
 *
 * <p>Threading: thread-safe.
 */
public final class ArenaProvider {
  private final List<ArenaSource> sources;

  /**
   * @param sources what may be opened, the best first; at most one of a kind
   */
  public ArenaProvider(List<ArenaSource> sources) {
    this.sources = sources.stream().sorted(Comparator.comparing(ArenaSource::kind)).toList();
  }

  /**
   * What became of one kind.
   *
   * @param reason why it was not taken, or that it was
   */
  public record Attempt(ArenaKind kind, boolean opened, String reason) {}

  /** An arena, which the caller closes, and what was tried for it in that order. */
  public record Choice(Arena arena, List<Attempt> attempts) {
    /** One line: {@code shared; cuda: no driver; pinned: no driver}. */
    public String report() {
      return attempts.reversed().stream()
          .map(
              attempt ->
                  attempt.opened()
                      ? attempt.kind().text()
                      : attempt.kind().text() + ": " + attempt.reason())
          .collect(Collectors.joining("; "));
    }
  }

  /**
   * Opens the best arena there is, of {@code capacity} bytes.
   *
   * @throws ArenaException {@code UNAVAILABLE} if there is none; the message has every reason
   */
  public Choice best(long capacity) {
    List<Attempt> attempts = new ArrayList<>();
    for (ArenaSource source : sources) {
      try {
        Arena arena = source.open().apply(capacity);
        attempts.add(new Attempt(source.kind(), true, "opened"));
        return new Choice(arena, List.copyOf(attempts));
      } catch (ArenaException e) {
        attempts.add(new Attempt(source.kind(), false, String.valueOf(e.getMessage())));
      }
    }
    throw new ArenaException(
        ArenaException.Fault.UNAVAILABLE,
        attempts.stream()
            .map(attempt -> attempt.kind().text() + ": " + attempt.reason())
            .collect(Collectors.joining("; ", "no arena of " + capacity + " bytes: ", "")));
  }

  /**
   * Opens an arena of that kind, or fails: who names one wants no other.
   *
   * @throws ArenaException if this machine has none
   */
  public Choice only(ArenaKind kind, long capacity) {
    Optional<ArenaSource> source =
        sources.stream().filter(candidate -> candidate.kind() == kind).findFirst();
    if (source.isEmpty()) {
      throw new ArenaException(
          ArenaException.Fault.UNAVAILABLE,
          "there is no %s arena here: choose one of %s"
              .formatted(
                  kind.text(),
                  sources.stream().map(s -> s.kind().text()).collect(Collectors.joining(", "))));
    }
    return new ArenaProvider(List.of(source.get())).best(capacity);
  }
}
