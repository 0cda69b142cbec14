package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

class CsvDecoderTest extends DecoderContract {

  private static final String FILE =
      "id,name,score,ok,zip\r\n1,\"a, \"\"b\"\"\",0.5,true,01234\n2,\"x\ny\",1e3,FALSE,00000\n-3,\"\",,,\n";

  @Override
  List<Sample> samples() {
    return List.of(
        new Sample("inferred", bytes(FILE), CsvSpec.of()),
        new Sample(
            "named",
            bytes(FILE),
            CsvSpec.of(
                new ColumnSpec("score", ColumnType.FLOAT32),
                new ColumnSpec("id", ColumnType.STRING))));
  }

  @Override
  boolean showsItsEnd() {
    return false;
  }

  @Test
  void typesAreTheNarrowestThatFit() throws Exception {
    Tables.Plain table = Tables.decode(CsvSpec.of(), bytes(FILE));
    assertThat(table.columns())
        .containsExactly(
            "id: Int(64, true)",
            "name: Utf8",
            "score: FloatingPoint(DOUBLE)",
            "ok: Bool",
            "zip: Utf8");
    assertThat(table.rows())
        .containsExactly(
            List.of("1", "a, \"b\"", "0.5", "true", "01234"),
            List.of("2", "x\ny", "1000.0", "false", "00000"),
            List.of("-3", "", "null", "null", "null"));
  }

  @Test
  void columnsOfTheSpecComeFirst() throws Exception {
    Tables.Plain table = Tables.decode(samples().getLast().spec(), bytes(FILE));
    assertThat(table.columns()).containsExactly("score: FloatingPoint(SINGLE)", "id: Utf8");
    assertThat(table.rows().getFirst()).containsExactly("0.5", "1");
    assertThat(fault(CsvSpec.of(new ColumnSpec("nope", ColumnType.STRING)), FILE))
        .isEqualTo(DecodeFault.MISSING);
    assertThat(fault(CsvSpec.of(new ColumnSpec("name", ColumnType.INT64)), FILE))
        .isEqualTo(DecodeFault.MISMATCH);
  }

  @Test
  void withoutAHeaderColumnsAreCounted() throws Exception {
    CsvSpec spec = new CsvSpec(List.of(), ';', false, "NA");
    Tables.Plain table = Tables.decode(spec, bytes("\ufeff1;NA\n2;\"NA\"\n"));
    assertThat(table.columns()).containsExactly("c0: Int(64, true)", "c1: Utf8");
    assertThat(table.rows()).containsExactly(List.of("1", "null"), List.of("2", "NA"));
    CsvSpec named = new CsvSpec(List.of(new ColumnSpec("a", ColumnType.INT32)), ';', false, "NA");
    assertThat(Tables.decode(named, bytes("1;x\n")).rows()).containsExactly(List.of("1"));
  }

  @Test
  void aLateValueIsNeverSilentlyAnotherType() {
    String file = "n\n" + "1\n".repeat(TypeGuess.ROWS) + "x\n";
    assertThat(fault(CsvSpec.of(), file)).isEqualTo(DecodeFault.MISMATCH);
  }

  @Test
  void brokenFilesAreCorrupt() {
    assertThat(fault(CsvSpec.of(), "a,b\n1\n")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(fault(CsvSpec.of(), "a,a\n1,2\n")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(fault(CsvSpec.of(), "a,b\n1,\"2\n")).isEqualTo(DecodeFault.CORRUPT);
    assertThat(Decoding.fault(decoder(CsvSpec.of()), new byte[] {'a', '\n', (byte) 0xff, '\n'}))
        .contains(DecodeFault.CORRUPT);
    assertThat(fault(CsvSpec.of(), "\n\n")).isEqualTo(DecodeFault.TRUNCATED);
  }

  @Test
  void rowsColumnsAndMemoryAreLimited() {
    DecodeLimits limits = DecodeLimits.DEFAULTS.withColumns(2);
    assertThat(Decoding.fault(Decoders.of(CsvSpec.of(), limits), bytes("a,b,c\n")))
        .contains(DecodeFault.TOO_LARGE);
    assertThat(
            Decoding.fault(
                Decoders.of(CsvSpec.of(), DecodeLimits.DEFAULTS.withEntries(1)),
                bytes("a\n1\n2\n")))
        .contains(DecodeFault.TOO_LARGE);
    try (var arena = java.lang.foreign.Arena.ofConfined();
        RootAllocator allocator = new RootAllocator(1 << 12)) {
      ObjectBytes source =
          ObjectBytes.of(Decoding.offHeap(arena, bytes("a\n" + "1\n".repeat(5000))));
      TableDecoder decoder = (TableDecoder) decoder(CsvSpec.of());
      assertThatThrownBy(() -> decoder.decode(source, allocator))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).isEqualTo(DecodeFault.TOO_LARGE));
      // closing the allocator fails if anything leaked
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }

  private static Decoder decoder(DecodeSpec spec) {
    return Decoders.of(spec, DecodeLimits.DEFAULTS);
  }

  private static DecodeFault fault(CsvSpec spec, String file) {
    return Decoding.fault(decoder(spec), bytes(file)).orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
