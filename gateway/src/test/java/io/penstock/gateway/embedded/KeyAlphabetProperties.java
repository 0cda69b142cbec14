package io.penstock.gateway.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KeyAlphabetProperties {
  @Property
  void aNameGivesItsKeyBack(@ForAll("keys") String key) {
    assertThat(KeyAlphabet.keyOf(KeyAlphabet.nameOf(key))).isEqualTo(key);
    assertThat(KeyAlphabet.keyOf(KeyAlphabet.prefixOf(key))).isEqualTo(key);
  }

  @Property
  void namesAreInTheOrderOfTheirKeys(@ForAll("keys") String one, @ForAll("keys") String other) {
    assertThat(Integer.signum(KeyAlphabet.nameOf(one).compareTo(KeyAlphabet.nameOf(other))))
        .isEqualTo(Integer.signum(one.compareTo(other)));
  }

  @Property
  void aNameStartsWithAPrefixExactlyIfItsKeyDoes(
      @ForAll("keys") String key, @ForAll("keys") String prefix) {
    String name = KeyAlphabet.nameOf(key);
    assertThat(name.startsWith(KeyAlphabet.prefixOf(prefix))).isEqualTo(key.startsWith(prefix));
    assertThat(KeyAlphabet.nameOf(prefix + key)).startsWith(KeyAlphabet.prefixOf(prefix));
  }

  @Property
  void everySegmentIsANameThatAFileSystemKeeps(@ForAll("keys") String key) {
    String name = KeyAlphabet.nameOf(key);
    for (String segment : name.split("/", -1)) {
      assertThat(segment).isNotEmpty().doesNotContain(".").doesNotContain("\0");
    }
  }

  @Property
  void noObjectIsTheFolderOfAnother(@ForAll("keys") String key, @ForAll("keys") String other) {
    assertThat(KeyAlphabet.nameOf(other)).doesNotStartWith(KeyAlphabet.nameOf(key) + "/");
  }

  /** Short and of few characters, so that slashes, dots and equal beginnings meet often. */
  @Provide
  Arbitrary<String> keys() {
    var odd =
        Arbitraries.strings().withChars("/.-+ 0a1b~\u007fé\u3042").ofMinLength(1).ofMaxLength(8);
    var any =
        Arbitraries.strings()
            .withCharRange('\u0081', '\ud7ff')
            .withCharRange('\3', '\u007f')
            .ofMinLength(1)
            .ofMaxLength(8);
    return Arbitraries.oneOf(odd, odd, any);
  }
}
