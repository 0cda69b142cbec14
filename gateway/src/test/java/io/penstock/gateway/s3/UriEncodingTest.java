package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriEncodingTest {

  @ParameterizedTest
  @CsvSource({
    "abcXYZ019-._~, abcXYZ019-._~, abcXYZ019-._~",
    "a b+c, a%20b%2Bc, a%20b%2Bc",
    "a/b, a%2Fb, a/b",
    "(!*), %28%21%2A%29, %28%21%2A%29",
    "é😀, %C3%A9%F0%9F%98%80, %C3%A9%F0%9F%98%80",
    "%2F, %252F, %252F",
    "/../, %2F..%2F, /../",
  })
  void encodesByTheRulesOfS3(String plain, String value, String path) {
    assertThat(UriEncoding.encode(plain)).isEqualTo(value);
    assertThat(UriEncoding.encodePath(plain)).isEqualTo(path);
  }

  @Test
  void encodesQuotesAndControlCharacters() {
    assertThat(UriEncoding.encode("'\"\0\n\u007f")).isEqualTo("%27%22%00%0A%7F");
  }

  @Test
  void aPlusDependsOnWhereItStands() {
    assertThat(UriEncoding.decodePath("a+b%2B%2b")).isEqualTo("a+b++");
    assertThat(UriEncoding.decodeQuery("a+b%2B%2b")).isEqualTo("a b++");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%",
        "%4",
        "a%4",
        "%zz",
        "%4g",
        "%-1",
        "% 1",
        "%%41",
        "%u0041", // not two digits
        "%\u0661\u0661", // digits, but not ours
        "%C0%80",
        "%C0%AF",
        "%E0%80%AF",
        "%F0%80%80%AF", // overlong
        "%ED%A0%80",
        "%ED%BF%BF", // surrogates
        "%F4%90%80%80",
        "%FE",
        "%FF",
        "%80",
        "%C3",
        "%E2%82", // never or not yet a character
        "\u20ac", // no single byte of the wire
      })
  void decodingIsStrict(String raw) {
    assertThatThrownBy(() -> UriEncoding.decodePath(raw))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.error()).isEqualTo(S3Error.INVALID_URI));
    assertThatThrownBy(() -> UriEncoding.decodeQuery(raw)).isInstanceOf(S3Exception.class);
  }

  @Test
  void anUnpairedSurrogateHasNoEncoding() {
    assertThatIllegalArgumentException().isThrownBy(() -> UriEncoding.encode("a\ud800"));
    assertThatIllegalArgumentException().isThrownBy(() -> UriEncoding.encodePath("\udc00"));
  }
}
