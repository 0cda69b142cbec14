package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.ByteRange.Part;
import io.penstock.gateway.s3.ByteRange.Unsatisfiable;
import io.penstock.gateway.s3.ByteRange.Whole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 10, 0, 0",
    "bytes=0-9, 10, 0, 9",
    "bytes=0-, 10, 0, 9",
    "bytes=9-, 10, 9, 9",
    "bytes=3-100, 10, 3, 9",
    "bytes=-1, 10, 9, 9",
    "bytes=-100, 10, 0, 9",
    "BYTES=1-2, 10, 1, 2",
    "' bytes=1-2 ', 10, 1, 2",
    "bytes=007-08, 10, 7, 8",
    "bytes=5-99999999999999999999999, 10, 5, 9",
    "bytes=-99999999999999999999999, 10, 0, 9",
    "bytes=54975581388799-54975581388799, 54975581388800, 54975581388799, 54975581388799",
    "bytes=0-9223372036854775807, 9223372036854775807, 0, 9223372036854775806",
  })
  void isAPartOfTheObject(String field, long length, long first, long last) {
    assertThat(ByteRange.parse(field).resolve(length)).isEqualTo(new Part(first, last));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=10-",
        "bytes=10-20",
        "bytes=-0",
        "bytes=99999999999999999999999-",
        "bytes=99999999999999999999999-99999999999999999999999",
      })
  void isOutsideOfTheObject(String field) {
    assertThat(ByteRange.parse(field).resolve(10)).isEqualTo(new Unsatisfiable());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-9"})
  void nothingOfAnEmptyObjectCanBeAskedFor(String field) {
    assertThat(ByteRange.parse(field).resolve(0)).isEqualTo(new Unsatisfiable());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=2-1",
        "bytes=a-b",
        "bytes=1",
        "bytes 0-1",
        "bytes=0-1,3-4",
        "bytes=0-1,",
        "lines=0-1",
        "bytes=+1-2",
        "bytes=0x1-2",
        "bytes=1.0-2",
        "bytes=--1",
        "bytes=\u0661-\u0662",
      })
  void isIgnored(String field) {
    assertThat(ByteRange.parse(field).resolve(10)).isEqualTo(new Whole());
    assertThat(ByteRange.parse(field).resolve(0)).isEqualTo(new Whole());
  }

  @Test
  void oneFieldCountsAndTwoAreSeveralRanges() {
    assertThat(ByteRange.of(HttpFields.of("Range", "bytes=1-2")))
        .isEqualTo(new ByteRange.FromTo(1, 2));
    assertThat(ByteRange.of(HttpFields.of("range", "bytes=1-2", "Range", "bytes=4-5")))
        .isEqualTo(new ByteRange.All());
    assertThat(ByteRange.of(HttpFields.EMPTY)).isEqualTo(new ByteRange.All());
  }
}
