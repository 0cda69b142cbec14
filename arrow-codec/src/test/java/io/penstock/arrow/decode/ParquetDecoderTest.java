package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files written by DuckDB, an implementation that has nothing in common with ours. */
class ParquetDecoderTest extends DecoderContract {

  @TempDir static Path folder;

  @BeforeAll
  static void write() throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("SET threads TO 1");
      copy(
          statement,
          """
          SELECT i::INTEGER AS i, (i * 1000000007)::BIGINT AS l, i::FLOAT / 2 AS f,
            i::DOUBLE / 3 AS d, i %% 2 = 0 AS b, CASE WHEN i %% 3 = 0 THEN NULL ELSE 't' || i END AS s
          FROM range(7) r(i)
          """,
          "small",
          "COMPRESSION snappy");
      copy(
          statement,
          """
          SELECT 5::TINYINT AS i8, 200::UTINYINT AS u8, (-5)::SMALLINT AS i16, 60000::USMALLINT AS u16,
            4000000000::UINTEGER AS u32, 1.25::DECIMAL(9, 2) AS d9, 1.25::DECIMAL(18, 4) AS d18,
            (-12345678901234567890.5)::DECIMAL(30, 1) AS d30, DATE '2020-02-29' AS date,
            TIME '01:02:03.000004' AS time, TIMESTAMP '2020-01-01 00:00:01' AS ts,
            'ab'::BLOB AS blob, '00112233-4455-6677-8899-aabbccddeeff'::UUID AS uuid
          """,
          "types",
          "COMPRESSION zstd");
      for (String codec : List.of("uncompressed", "snappy", "zstd", "gzip", "lz4_raw")) {
        copy(
            statement,
            "SELECT i AS n, 'value ' || (i %% 10) AS s FROM range(10000) r(i)",
            codec,
            "COMPRESSION %s, ROW_GROUP_SIZE 2048".formatted(codec));
      }
      String tiny = "SELECT i, CASE WHEN i = 1 THEN NULL ELSE 't' END AS s FROM range(3) r(i)";
      copy(statement, tiny, "tiny", "COMPRESSION snappy");
      copy(statement, tiny, "tiny-zstd", "COMPRESSION zstd");
      copy(statement, "SELECT [1, 2] AS list, 1 AS flat", "nested", "COMPRESSION snappy");
      copy(
          statement,
          "SELECT repeat('x', 100000) AS s FROM range(100000) r(i)",
          "bomb",
          "COMPRESSION zstd");
    }
  }

  private static void copy(Statement statement, String select, String name, String options)
      throws SQLException {
    statement.execute(
        "COPY (%s) TO '%s' (FORMAT parquet, %s)"
            .formatted(select.replace("%%", "%"), folder.resolve(name + ".parquet"), options));
  }

  @Override
  List<Sample> samples() {
    return List.of(
        new Sample("snappy", file("tiny"), ParquetSpec.of()),
        new Sample("zstd", file("tiny-zstd"), ParquetSpec.of("s")));
  }

  @Test
  void valuesAreThoseThatWereWritten() throws Exception {
    Tables.Plain table = Tables.decode(ParquetSpec.of(), file("small"));
    assertThat(table.columns())
        .containsExactly(
            "i: Int(32, true)",
            "l: Int(64, true)",
            "f: FloatingPoint(SINGLE)",
            "d: FloatingPoint(DOUBLE)",
            "b: Bool",
            "s: Utf8");
    assertThat(table.rows()).hasSize(7);
    for (int i = 0; i < 7; i++) {
      assertThat(table.rows().get(i))
          .containsExactly(
              "" + i,
              "" + i * 1000000007L,
              "" + i / 2f,
              "" + i / 3.0,
              "" + (i % 2 == 0),
              i % 3 == 0 ? "null" : "t" + i);
    }
  }

  @Test
  void logicalTypesAreKept() throws Exception {
    Tables.Plain table = Tables.decode(ParquetSpec.of(), file("types"));
    assertThat(table.columns())
        .containsExactly(
            "i8: Int(8, true)",
            "u8: Int(8, false)",
            "i16: Int(16, true)",
            "u16: Int(16, false)",
            "u32: Int(32, false)",
            "d9: Decimal(9, 2, 128)",
            "d18: Decimal(18, 4, 128)",
            "d30: Decimal(30, 1, 128)",
            "date: Date(DAY)",
            "time: Time(MICROSECOND, 64)",
            "ts: Timestamp(MICROSECOND, null)",
            "blob: Binary",
            "uuid: FixedSizeBinary(16)");
    assertThat(table.rows().getFirst())
        .containsExactly(
            "5",
            "-56",
            "-5",
            "\uea60",
            "-294967296",
            "1.25",
            "1.2500",
            "-12345678901234567890.5",
            "18321",
            "3723000004",
            "2020-01-01T00:00:01",
            "6162",
            "00112233445566778899aabbccddeeff");
  }

  @Test
  void everyCompressionIsRead() throws Exception {
    List<List<String>> expected =
        IntStream.range(0, 10_000).mapToObj(i -> List.of("" + i, "value " + i % 10)).toList();
    for (String codec : List.of("uncompressed", "snappy", "zstd", "gzip", "lz4_raw")) {
      assertThat(Tables.decode(ParquetSpec.of(), file(codec)).rows()).as(codec).isEqualTo(expected);
    }
  }

  @Test
  void oneRowGroupIsOneRowGroup() throws Exception {
    for (int group = 0; group < 5; group++) {
      Tables.Plain table = Tables.decode(ParquetSpec.of("n").withRowGroup(group), file("zstd"));
      assertThat(table.rows()).hasSize(group < 4 ? 2048 : 10_000 - 4 * 2048);
      assertThat(table.rows().getFirst()).containsExactly("" + group * 2048);
    }
    assertThat(fault(ParquetSpec.of().withRowGroup(5), file("zstd")))
        .isEqualTo(DecodeFault.MISSING);
  }

  @Test
  void nestedColumnsAreRefusedAndOthersRead() throws Exception {
    assertThat(fault(ParquetSpec.of(), file("nested"))).isEqualTo(DecodeFault.UNSUPPORTED);
    assertThat(Tables.decode(ParquetSpec.of("flat"), file("nested")).rows())
        .containsExactly(List.of("1"));
    assertThat(fault(ParquetSpec.of("none"), file("nested"))).isEqualTo(DecodeFault.MISSING);
  }

  @Test
  void aDictionaryBombEndsAtTheAllocator() {
    // 10 GB of text in a few KB of file
    assertThat(file("bomb").length).isLessThan(200_000);
    assertThat(fault(ParquetSpec.of(), file("bomb"))).isEqualTo(DecodeFault.TOO_LARGE);
  }

  private static DecodeFault fault(ParquetSpec spec, byte[] bytes) {
    return Decoding.fault(Decoders.of(spec, DecodeLimits.DEFAULTS), bytes).orElseThrow();
  }

  private static byte[] file(String name) {
    try {
      return Files.readAllBytes(folder.resolve(name + ".parquet"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
