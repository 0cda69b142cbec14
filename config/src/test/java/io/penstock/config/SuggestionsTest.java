package io.penstock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
  private static final List<String> KEYS = List.of("host", "port", "max-body", "idle-timeout");

  @Test
  void findsSlipsAndOtherSpellings() {
    assertThat(Suggestions.closest("prot", KEYS)).contains("port");
    assertThat(Suggestions.closest("hots", KEYS)).contains("host");
    assertThat(Suggestions.closest("MAX_BODY", KEYS)).contains("max-body");
    assertThat(Suggestions.closest("idleTimeuot", KEYS)).contains("idle-timeout");
  }

  @Test
  void saysNothingWhenNothingIsNear() {
    assertThat(Suggestions.closest("colour", KEYS)).isEmpty();
    assertThat(Suggestions.closest("", KEYS)).isEmpty();
    assertThat(Suggestions.closest("p".repeat(10_000), KEYS)).isEmpty();
  }

  @Test
  void countsEdits() {
    assertThat(Suggestions.distance("", "abc")).isEqualTo(3);
    assertThat(Suggestions.distance("abc", "abc")).isZero();
    assertThat(Suggestions.distance("abc", "acb")).isEqualTo(1);
    assertThat(Suggestions.distance("kitten", "sitting")).isEqualTo(3);
  }
}
