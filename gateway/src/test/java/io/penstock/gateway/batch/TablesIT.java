package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.ipc.BatchReader;
import io.penstock.arrow.ipc.BatchStreamException;
import io.penstock.arrow.ipc.ReadLimits;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.ObjectOrigin;
import io.penstock.gateway.testing.Stack;
import java.io.ByteArrayInputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in batches, as Arrow's own reader sees them. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class TablesIT {
  private final ObjectOrigin origin = new ObjectOrigin();
  private FaultyStore store;
  private Stack stack;
  private BatchClient client;

  @BeforeEach
  void start() throws Exception {
    store = FaultyStore.start(origin);
    stack = Stack.start(store.uri(), "ak", "sk", "");
    client = new BatchClient(stack.s3());
  }

  @AfterEach
  void stop() throws Exception {
    while (client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin())
        > 0) {
      Thread.sleep(10);
    }
    client.close();
    stack.close();
    store.close();
  }

  private void put(String key, String text) {
    origin.put("/bkt/" + key, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String request(String decode, int batch, String more, String... keys) {
    return "{\"version\": 1, \"bucket\": \"bkt\", \"items\": [%s], \"decode\": %s, \"batch-size\": %d%s}"
        .formatted(
            List.of(keys).stream().map(key -> '"' + key + '"').collect(Collectors.joining(",")),
            decode,
            batch,
            more);
  }

  /** Rows as text: the named columns, one line each. */
  private List<String> rows(String request, String... columns) throws Exception {
    var answer = client.post("/-/batch", request);
    assertThat(answer.statusCode())
        .as(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    List<String> rows = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(answer.body()),
                allocator,
                CommonsCompressionFactory.INSTANCE)) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          int at = row;
          rows.add(
              List.of(columns).stream()
                  .map(
                      column -> {
                        FieldVector vector = root.getVector(column);
                        assertThat(vector).as(column + " of " + root.getSchema()).isNotNull();
                        return vector instanceof UInt2Vector status
                            ? Integer.toString(status.get(at))
                            : String.valueOf(vector.getObject(at));
                      })
                  .collect(Collectors.joining(" ")));
        }
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void anItemHasAsManyRowsAsItsTable(String compression) throws Exception {
    put("a", "id,name\n1,one\n2,two\n");
    put("b", "id,name\n3,three\n");
    put("none", "id,name\n");
    put("d", "id,name\n4,\n5,five\n6,six\n");
    assertThat(
            rows(
                request(
                    "{\"as\": \"csv\", \"columns\": [{\"name\": \"id\", \"type\": \"int64\"},"
                        + " {\"name\": \"name\", \"type\": \"string\"}]}",
                    2,
                    ", \"compression\": \"" + compression + "\"",
                    "a",
                    "b",
                    "none",
                    "d"),
                "index",
                "key",
                "status",
                "id",
                "name"))
        .containsExactly(
            "0 a 200 1 one",
            "0 a 200 2 two",
            "1 b 200 3 three",
            "3 d 200 4 null",
            "3 d 200 5 five",
            "3 d 200 6 six");
  }

  @Test
  void aFailedItemIsARowOfNulls() throws Exception {
    put("a", "{\"id\": 1}\n{\"id\": 2}\n");
    put("broken", "{\"id\": ");
    put("other", "{\"name\": \"x\"}\n");
    assertThat(
            rows(
                request("\"json-lines\"", 10, "", "missing", "broken", "a", "other", "a"),
                "key",
                "status",
                "error_code",
                "id"))
        .containsExactly(
            "missing 404 NoSuchKey null",
            "broken 422 TruncatedObject null",
            "a 200 null 1",
            "a 200 null 2",
            "other 422 ShapeMismatch null",
            "a 200 null 1",
            "a 200 null 2");
  }

  @Test
  void aColumnWithANameOfTheProtocolIsRenamed() throws Exception {
    put("a", "size,label,x\n7,cat,1\n");
    assertThat(rows(request("\"csv\"", 10, "", "a"), "size", "table.size", "table.label", "x"))
        .containsExactly("21 7 cat 1");
  }

  @Test
  void withoutAnyTableThereAreNoColumns() throws Exception {
    put("broken", "{\"id\": ");
    var answer = client.post("/-/batch", request("\"json-lines\"", 10, "", "broken", "missing"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("item 0 (broken): TruncatedObject");
  }

  @Test
  void aBrokenTableEndsAStreamThatMustNotHaveOne() throws Exception {
    put("a", "{\"id\": 1}\n");
    put("broken", "{\"id\": ");
    String fail = ", \"on-error\": \"fail\"";
    byte[] stream =
        client.post("/-/batch", request("\"json-lines\"", 1, fail, "a", "broken")).body();
    try (BufferAllocator allocator = new RootAllocator()) {
      BatchReader reader =
          new BatchReader(
              Channels.newChannel(new ByteArrayInputStream(stream)),
              new ArrowBlockSource(allocator),
              ReadLimits.DEFAULT);
      reader.next().orElseThrow().close();
      assertThatThrownBy(reader::next)
          .isInstanceOfSatisfying(
              BatchStreamException.class,
              e -> assertThat(e.error().orElseThrow().code()).isEqualTo("TruncatedObject"));
    }
    assertThat(
            client.post("/-/batch", request("\"json-lines\"", 2, fail, "a", "broken")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void manyRowsOfManyTables() throws Exception {
    for (int i = 0; i < 20; i++) {
      int table = i;
      put(
          "t" + i,
          IntStream.range(0, 2000)
              .mapToObj(
                  row ->
                      "{\"t\": " + table + ", \"row\": " + row + ", \"s\": \"text " + row + "\"}")
              .collect(Collectors.joining("\n")));
    }
    String[] keys = IntStream.range(0, 20).mapToObj(i -> "t" + i).toArray(String[]::new);
    List<String> rows =
        rows(
            request("\"json-lines\"", 7, ", \"compression\": \"zstd\"", keys),
            "index",
            "t",
            "row",
            "s");
    assertThat(rows).hasSize(40_000);
    for (int i = 0; i < rows.size(); i += 37) {
      assertThat(rows.get(i))
          .isEqualTo("%d %d %d text %d".formatted(i / 2000, i / 2000, i % 2000, i % 2000));
    }
  }
}
