package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.memory.BlockSource;
import io.penstock.arrow.tensor.TensorField;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers that share no code with us get every value, and none takes half a stream for a whole. */
class OtherReadersIT {
  private static final int ROWS = Streams.BATCHES.stream().mapToInt(Integer::intValue).sum();
  private static final StreamError ERROR = new StreamError("SlowDown", "try later", true);

  private final BufferAllocator allocator = new RootAllocator();
  private final BlockSource memory = new ArrowBlockSource(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void apacheArrowForJavaScript() {
    JsonNode table =
        NodeReader.arrow().read(Streams.complete(memory, Compression.NONE)).orElseThrow();
    assertThat(table.at("/metadata/penstock.protocol").asText()).isEqualTo("1");
    JsonNode words = table.at("/fields/tensor");
    assertThat(words.path("ARROW:extension:name").asText()).isEqualTo("arrow.fixed_shape_tensor");
    assertThat(words.path("ARROW:extension:metadata").asText())
        .isEqualTo("{\"shape\":[3,2,4],\"dim_names\":[\"C\",\"H\",\"W\"]}");
    check(table.path("batches"));
  }

  @Test
  void apacheArrowForJavaScriptReadsAnEmptyStreamAndRefusesAFailedOne() {
    NodeReader reader = NodeReader.arrow();
    JsonNode empty = reader.read(Streams.empty(memory)).orElseThrow();
    assertThat(empty.at("/batches/0/rows").asInt()).isZero();
    assertThat(reader.read(Streams.failed(memory, ERROR))).isEmpty();
  }

  /** Polars refuses extension types that it does not know: it is why tensors can be lists. */
  @ParameterizedTest
  @EnumSource
  void polars(Compression compression) {
    byte[] stream = Streams.complete(memory, compression, TensorField.Form.LIST);
    check(NodeReader.polars().read(stream).orElseThrow().path("batches"));
  }

  @Test
  void polarsRefusesAFailedStream() {
    byte[] stream = Streams.failed(memory, ERROR, TensorField.Form.LIST);
    assertThat(NodeReader.polars().read(stream)).isEmpty();
  }

  private static void check(JsonNode batches) {
    int row = 0;
    for (JsonNode batch : batches) {
      for (int i = 0; i < batch.path("rows").asInt(); i++) {
        items(batch.path("columns"), i, row);
        payload(batch.path("columns"), i, row);
        row++;
      }
    }
    assertThat(row).isEqualTo(ROWS);
  }

  private static void items(JsonNode columns, int i, int row) {
    ItemHead head = Streams.head(row);
    boolean failed = Streams.failed(row);
    assertThat(columns.path("index").path(i).asText()).isEqualTo("" + row);
    assertThat(columns.path("key").path(i).asText()).isEqualTo(head.key());
    assertThat(text(columns, "member", i)).isEqualTo(head.member().orElse(null));
    assertThat(text(columns, "version_id", i)).isNull();
    assertThat(text(columns, "etag", i)).isEqualTo(head.etag().orElse(null));
    assertThat(text(columns, "size", i))
        .isEqualTo(failed ? null : "" + Streams.payload(row).length);
    assertThat(text(columns, "status", i)).isEqualTo(failed ? "404" : "200");
    assertThat(text(columns, "error_code", i)).isEqualTo(failed ? "NoSuchKey" : null);
    assertThat(text(columns, "error_message", i)).isEqualTo(failed ? "no key " + row : null);
    assertThat(text(columns, "label", i))
        .isEqualTo(Streams.label(row) instanceof Label.Whole(long value) ? "" + value : null);
  }

  private static void payload(JsonNode columns, int i, int row) {
    if (Streams.failed(row)) {
      assertThat(text(columns, "payload", i)).isNull();
      assertThat(text(columns, "tensor", i)).isNull();
      assertThat(text(columns, "half", i)).isNull();
      return;
    }
    assertThat(text(columns, "payload", i))
        .isEqualTo(new String(Streams.payload(row), StandardCharsets.ISO_8859_1));
    JsonNode tensor = columns.path("tensor").path(i);
    assertThat(tensor).hasSize(Streams.TENSOR.elements());
    for (int e = 0; e < tensor.size(); e++) {
      assertThat((float) tensor.path(e).asDouble()).isEqualTo(Streams.element(row, e));
    }
    JsonNode half = columns.path("half").path(i);
    assertThat(half).hasSize(Streams.HALF.elements());
    for (int e = 0; e < half.size(); e++) {
      assertThat((float) half.path(e).asDouble()).isEqualTo(half(row, e));
    }
  }

  private static float half(int row, int element) {
    return Float.float16ToFloat(Float.floatToFloat16(Streams.element(row, element)));
  }

  private static String text(JsonNode columns, String name, int row) {
    JsonNode value = columns.path(name).path(row);
    return value.isNull() ? null : value.asText();
  }

  @ParameterizedTest
  @EnumSource
  void duckDb(Compression compression) throws Exception {
    byte[] stream = Streams.withoutHalves(memory, compression);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        ArrowArrayStream exported = ArrowArrayStream.allocateNew(allocator);
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(stream), allocator, CommonsCompressionFactory.INSTANCE)) {
      Data.exportArrayStream(allocator, reader, exported);
      connection.unwrap(DuckDBConnection.class).registerArrowStream("batches", exported);
      try (Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "SELECT \"index\", key, size, status, error_code, label,"
                      + " payload IS NULL, CAST(payload AS VARCHAR),"
                      + " tensor IS NULL, list_sum(tensor) FROM batches ORDER BY \"index\"")) {
        int row = 0;
        while (rows.next()) {
          check(rows, row++);
        }
        assertThat(row).isEqualTo(ROWS);
      }
    }
  }

  private static void check(ResultSet rows, int row) throws SQLException {
    boolean failed = Streams.failed(row);
    assertThat(rows.getLong(1)).isEqualTo(row);
    assertThat(rows.getString(2)).isEqualTo(Streams.head(row).key());
    assertThat(rows.getInt(4)).isEqualTo(failed ? 404 : 200);
    assertThat(rows.getString(5)).isEqualTo(failed ? "NoSuchKey" : null);
    assertThat(rows.getObject(6))
        .isEqualTo(Streams.label(row) instanceof Label.Whole(long value) ? value : null);
    assertThat(rows.getBoolean(7)).isEqualTo(failed);
    assertThat(rows.getBoolean(9)).isEqualTo(failed);
    if (!failed) {
      assertThat(rows.getLong(3)).isEqualTo(Streams.payload(row).length);
      String text = new String(Streams.payload(row), StandardCharsets.ISO_8859_1);
      // DuckDB writes what it takes for special in a BLOB as \xNN
      assertThat(
              rows.getString(8).replace("\\x5C", "\\").replace("\\x22", "\"").replace("\\x27", "'"))
          .isEqualTo(text);
      BigDecimal sum = BigDecimal.ZERO;
      for (int e = 0; e < Streams.TENSOR.elements(); e++) {
        sum = sum.add(BigDecimal.valueOf(Streams.element(row, e)));
      }
      assertThat(rows.getDouble(10)).isEqualTo(sum.doubleValue());
    }
  }
}
