package io.penstock.arrow.decode;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Decoded tables as plain values, to compare in tests. */
final class Tables {

  private Tables() {}

  /** Columns as {@code name: type} and rows as lists of their objects, as Arrow shows them. */
  record Plain(List<String> columns, List<List<String>> rows) {}

  static Plain decode(DecodeSpec spec, byte[] bytes) throws DecodeException {
    try (var arena = java.lang.foreign.Arena.ofShared();
        RootAllocator allocator = new RootAllocator()) {
      TableDecoder decoder = (TableDecoder) Decoders.of(spec, DecodeLimits.DEFAULTS);
      ObjectBytes source = ObjectBytes.of(Decoding.offHeap(arena, bytes));
      try (VectorSchemaRoot root = decoder.decode(source, allocator)) {
        return plain(root);
      }
    }
  }

  private static Plain plain(VectorSchemaRoot root) {
    List<String> columns =
        root.getSchema().getFields().stream()
            .map(field -> field.getName() + ": " + field.getType())
            .toList();
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < root.getRowCount(); i++) {
      List<String> row = new ArrayList<>();
      for (FieldVector vector : root.getFieldVectors()) {
        row.add(text(vector.getObject(i)));
      }
      rows.add(row);
    }
    return new Plain(columns, rows);
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? java.util.HexFormat.of().formatHex(bytes)
        : String.valueOf(value);
  }
}
