package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLinesDecoderTest extends DecoderContract {

  private static final String FILE =
      """
      {"id": 1, "name": "a", "score": 1, "tags": ["x", 2.50], "ok": true}
      {"id": 2, "score": 1.5, "name": null, "tags": {"k": []}}

      {"id": -3, "name": "\\u00fc"}
      """;

  @Override
  List<Sample> samples() {
    return List.of(
        new Sample("inferred", bytes(FILE), JsonLinesSpec.of()),
        new Sample(
            "named", bytes(FILE), JsonLinesSpec.of(new ColumnSpec("score", ColumnType.FLOAT32))));
  }

  @Override
  boolean showsItsEnd() {
    return false;
  }

  @Test
  void keysAreColumns() throws Exception {
    Tables.Plain table = Tables.decode(JsonLinesSpec.of(), bytes(FILE));
    assertThat(table.columns())
        .containsExactly(
            "id: Int(64, true)",
            "name: Utf8",
            "score: FloatingPoint(DOUBLE)",
            "tags: Utf8",
            "ok: Bool");
    assertThat(table.rows())
        .containsExactly(
            List.of("1", "a", "1.0", "[\"x\",2.50]", "true"),
            List.of("2", "null", "1.5", "{\"k\":[]}", "null"),
            List.of("-3", "ü", "null", "null", "null"));
  }

  @Test
  void otherKeysThanNamedOnesArePassedOver() throws Exception {
    Tables.Plain table = Tables.decode(samples().getLast().spec(), bytes(FILE));
    assertThat(table.rows()).containsExactly(List.of("1.0"), List.of("1.5"), List.of("null"));
  }

  @Test
  void whatDoesNotFitIsAMismatch() {
    JsonLinesSpec spec = JsonLinesSpec.of(new ColumnSpec("a", ColumnType.INT64));
    for (String value : List.of("\"1\"", "true", "[1]", "1.5", "9223372036854775808")) {
      assertThat(fault(spec, "{\"a\": %s}".formatted(value)))
          .as(value)
          .isEqualTo(DecodeFault.MISMATCH);
    }
    String late = "{\"a\": 1}\n".repeat(TypeGuess.ROWS);
    assertThat(fault(JsonLinesSpec.of(), late + "{\"b\": 1}")).isEqualTo(DecodeFault.MISMATCH);
  }

  @Test
  void brokenFilesAreAnswers() {
    assertThat(fault(JsonLinesSpec.of(), "{\"a\": 1}\n[1]")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(fault(JsonLinesSpec.of(), "{\"a\": 1, \"a\": 2}")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(fault(JsonLinesSpec.of(), "{\"a\": 1}\n{\"a\": 2")).isEqualTo(DecodeFault.TRUNCATED);
    assertThat(fault(JsonLinesSpec.of(), "{\"a\": NaN}")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(fault(JsonLinesSpec.of(), "{\"a\": " + "[".repeat(100) + "]".repeat(100) + "}"))
        .isEqualTo(DecodeFault.TOO_LARGE);
    StringBuilder wide = new StringBuilder("{");
    for (int i = 0; i <= DecodeLimits.DEFAULTS.columns(); i++) {
      wide.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":1");
    }
    assertThat(fault(JsonLinesSpec.of(), wide + "}")).isEqualTo(DecodeFault.TOO_LARGE);
  }

  private static DecodeFault fault(JsonLinesSpec spec, String file) {
    return Decoding.fault(Decoders.of(spec, DecodeLimits.DEFAULTS), bytes(file)).orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
