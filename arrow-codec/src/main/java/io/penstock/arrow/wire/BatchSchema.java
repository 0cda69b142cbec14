package io.penstock.arrow.wire;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The schema of a response: the columns that every item has ({@link ItemColumns}), the label if
 * there are labels, then the payload.
 *
 * @param metadata what was done, by the keys of {@link StreamMetadata}
 */
public record BatchSchema(
    List<PayloadColumn> payload, LabelType label, Map<String, String> metadata) {
  /** Position in the request, or in the epoch's shuffled order, from 0. */
  public static final String INDEX = "index";

  public static final String KEY = "key";

  /** Member of a tar, null where the whole object was asked for. */
  public static final String MEMBER = "member";

  public static final String VERSION = "version_id";
  public static final String ETAG = "etag";

  /** Bytes of the object, range or member before decoding. */
  public static final String SIZE = "size";

  /** 200, or the HTTP status of the item's failure. */
  public static final String STATUS = "status";

  public static final String ERROR_CODE = "error_code";
  public static final String ERROR_MESSAGE = "error_message";
  public static final String LABEL = "label";

  /** All of them: what a table's columns cannot be called. */
  public static final List<String> NAMES =
      List.of(INDEX, KEY, MEMBER, VERSION, ETAG, SIZE, STATUS, ERROR_CODE, ERROR_MESSAGE, LABEL);

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType FLOAT64 =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  private static final ArrowType UINT16 = new ArrowType.Int(16, false);

  /**
   * @throws IllegalArgumentException if two columns have the same name
   */
  public BatchSchema {
    payload = List.copyOf(payload);
    metadata = Map.copyOf(metadata);
    Set<String> names = new HashSet<>();
    for (Field field : fields(payload, label)) {
      if (!names.add(field.getName())) {
        throw new IllegalArgumentException("two columns are called " + field.getName());
      }
    }
  }

  /** The schema as Arrow has it. */
  public Schema arrow() {
    return new Schema(fields(payload, label), metadata);
  }

  private static List<Field> fields(List<PayloadColumn> payload, LabelType label) {
    List<Field> fields = new ArrayList<>();
    fields.add(required(INDEX, INT64));
    fields.add(required(KEY, ArrowType.Utf8.INSTANCE));
    fields.add(nullable(MEMBER, ArrowType.Utf8.INSTANCE));
    fields.add(nullable(VERSION, ArrowType.Utf8.INSTANCE));
    fields.add(nullable(ETAG, ArrowType.Utf8.INSTANCE));
    fields.add(nullable(SIZE, INT64));
    fields.add(required(STATUS, UINT16));
    fields.add(nullable(ERROR_CODE, ArrowType.Utf8.INSTANCE));
    fields.add(nullable(ERROR_MESSAGE, ArrowType.Utf8.INSTANCE));
    switch (label) {
      case NONE -> {}
      case INT64 -> fields.add(nullable(LABEL, INT64));
      case FLOAT64 -> fields.add(nullable(LABEL, FLOAT64));
      case UTF8 -> fields.add(nullable(LABEL, ArrowType.Utf8.INSTANCE));
    }
    payload.forEach(column -> fields.add(column.field()));
    return fields;
  }

  private static Field required(String name, ArrowType type) {
    return new Field(name, FieldType.notNullable(type), List.of());
  }

  private static Field nullable(String name, ArrowType type) {
    return new Field(name, FieldType.nullable(type), List.of());
  }
}
