package io.penstock.arrow.ring;

import io.penstock.arrow.ipc.Frame;
import java.util.Optional;

/** What a record is: a frame of the stream, or nothing, up to the end of the ring. */
enum RecordKind {
  SCHEMA(1),
  BATCH(2),
  END(3),
  FAILURE(4),
  PADDING(5);

  private final long code;

  RecordKind(long code) {
    this.code = code;
  }

  long code() {
    return code;
  }

  static RecordKind of(Frame.Kind kind) {
    return switch (kind) {
      case SCHEMA -> SCHEMA;
      case BATCH -> BATCH;
      case END -> END;
      case FAILURE -> FAILURE;
    };
  }

  static Optional<RecordKind> of(long code) {
    return code >= 1 && code <= values().length
        ? Optional.of(values()[(int) code - 1])
        : Optional.empty();
  }
}
