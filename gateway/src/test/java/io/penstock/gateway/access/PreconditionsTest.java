package io.penstock.gateway.access;

import static io.penstock.gateway.access.Preconditions.Verdict.FAILED;
import static io.penstock.gateway.access.Preconditions.Verdict.GO_ON;
import static io.penstock.gateway.access.Preconditions.Verdict.NOT_MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** RFC 9110, section 13.2.2, for an object whose ETag is "a". */
class PreconditionsTest {
  private static final String MODIFIED = "Wed, 21 Oct 2015 07:28:00 GMT";
  private static final String EARLIER = "Tue, 20 Oct 2015 07:28:00 GMT";

  private static Preconditions.Verdict of(String... fields) {
    return Preconditions.of(HttpFields.of(fields), "\"a\"", Optional.of(MODIFIED));
  }

  @Test
  void tagsDecide() {
    assertThat(of()).isEqualTo(GO_ON);
    assertThat(of("If-Match", "\"a\"")).isEqualTo(GO_ON);
    assertThat(of("if-match", "a")).as("S3 takes it without quotes").isEqualTo(GO_ON);
    assertThat(of("If-Match", "*")).isEqualTo(GO_ON);
    assertThat(of("If-Match", "\"b\", \"a\"")).isEqualTo(GO_ON);
    assertThat(of("If-Match", "\"b\"")).isEqualTo(FAILED);
    assertThat(of("If-Match", "W/\"a\"")).as("compared strongly").isEqualTo(FAILED);
    assertThat(of("If-None-Match", "\"a\"")).isEqualTo(NOT_MODIFIED);
    assertThat(of("If-None-Match", "W/\"a\"")).as("compared weakly").isEqualTo(NOT_MODIFIED);
    assertThat(of("If-None-Match", "*")).isEqualTo(NOT_MODIFIED);
    assertThat(of("If-None-Match", "\"b\"")).isEqualTo(GO_ON);
    assertThat(of("If-Match", "\"b\"", "If-None-Match", "\"a\"")).isEqualTo(FAILED);
  }

  @Test
  void datesDecideOnlyWhereTheyCan() {
    assertThat(of("If-Unmodified-Since", MODIFIED)).isEqualTo(GO_ON);
    assertThat(of("If-Unmodified-Since", EARLIER)).isEqualTo(FAILED);
    assertThat(of("If-Match", "\"a\"", "If-Unmodified-Since", EARLIER)).isEqualTo(GO_ON);
    assertThat(of("If-Unmodified-Since", "yesterday")).isEqualTo(GO_ON);
    assertThat(of("If-Modified-Since", MODIFIED))
        .as("the model may be another one since")
        .isEqualTo(GO_ON);
  }

  @Test
  void aRangeOfAnotherVersionIsNone() {
    assertThat(Preconditions.rangeHolds(HttpFields.EMPTY, "\"a\"")).isTrue();
    assertThat(Preconditions.rangeHolds(HttpFields.of("If-Range", "\"a\""), "\"a\"")).isTrue();
    assertThat(Preconditions.rangeHolds(HttpFields.of("If-Range", "\"b\""), "\"a\"")).isFalse();
    assertThat(Preconditions.rangeHolds(HttpFields.of("If-Range", MODIFIED), "\"a\"")).isFalse();
  }
}
