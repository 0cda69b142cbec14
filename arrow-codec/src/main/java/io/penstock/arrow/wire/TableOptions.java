package io.penstock.arrow.wire;

import io.penstock.arrow.decode.ColumnSpec;
import io.penstock.arrow.decode.ColumnType;
import io.penstock.arrow.decode.CsvSpec;
import io.penstock.arrow.decode.JsonLinesSpec;
import io.penstock.arrow.decode.ParquetSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SequencedMap;

/** The options of the decoders of tables. */
final class TableOptions {
  private final OptionReader options;

  TableOptions(OptionReader options) {
    this.options = options;
  }

  CsvSpec csv() throws RequestException {
    String delimiter = options.text("delimiter").orElse(",");
    if (delimiter.length() != 1) {
      throw options.problem("\"delimiter\" is one character");
    }
    return new CsvSpec(
        columns(),
        delimiter.charAt(0),
        options.flag("header", true),
        options.text("null").orElse(""));
  }

  JsonLinesSpec jsonLines() throws RequestException {
    return new JsonLinesSpec(columns());
  }

  ParquetSpec parquet() throws RequestException {
    ParquetSpec spec = new ParquetSpec(options.texts("columns"), OptionalInt.empty());
    int group = options.whole("row-group", -1, Integer.MAX_VALUE, OptionalInt.of(-1));
    return group < 0 ? spec : spec.withRowGroup(group);
  }

  private List<ColumnSpec> columns() throws RequestException {
    SequencedMap<String, ColumnType> types = new LinkedHashMap<>();
    for (ColumnType type : ColumnType.values()) {
      types.put(type.text(), type);
    }
    List<ColumnSpec> columns = new ArrayList<>();
    for (OptionReader column : options.objects("columns")) {
      columns.add(
          new ColumnSpec(
              column.text("name").orElseThrow(() -> column.problem("\"name\" is missing")),
              column
                  .choice("type", types)
                  .orElseThrow(() -> column.problem("\"type\" is missing"))));
      column.done();
    }
    return columns;
  }
}
