package io.penstock.arrow.ipc;

import io.penstock.arrow.ipc.BatchStreamException.Reason;
import java.io.IOException;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/** Reads the first message of a stream, which may be a stranger's. */
final class SchemaReader {
  private static final int DEEPEST = 16;

  private final ReadLimits limits;
  private int fields;

  private SchemaReader(ReadLimits limits) {
    this.limits = limits;
  }

  static org.apache.arrow.vector.types.pojo.Schema read(Message message, ReadLimits limits)
      throws IOException {
    if (message.headerType() != MessageHeader.Schema
        || !(message.header(new org.apache.arrow.flatbuf.Schema())
            instanceof org.apache.arrow.flatbuf.Schema header)) {
      throw BatchStreamException.of(Reason.MALFORMED, "the stream does not begin with a schema");
    }
    if (message.version() != MetadataVersion.V5) {
      throw BatchStreamException.of(
          Reason.UNSUPPORTED, "metadata version " + message.version() + ": only V5 is read");
    }
    if (header.endianness() != org.apache.arrow.flatbuf.Endianness.Little) {
      throw BatchStreamException.of(Reason.UNSUPPORTED, "a big-endian stream");
    }
    SchemaReader reader = new SchemaReader(limits);
    for (int i = 0; i < header.fieldsLength(); i++) {
      reader.visit(header.fields(i), 1);
    }
    try {
      return org.apache.arrow.vector.types.pojo.Schema.convertSchema(header);
    } catch (RuntimeException e) {
      // Arrow's own conversion fails in many ways on what it does not know
      throw BatchStreamException.malformed("the schema is damaged: " + e, e);
    }
  }

  /** A hostile flatbuffer can be its own child: count before anything recurses without bounds. */
  private void visit(Field field, int depth) throws IOException {
    fields++;
    if (fields > limits.fields() || depth > DEEPEST) {
      throw BatchStreamException.of(
          Reason.TOO_LARGE,
          "a schema of more than %d fields or %d levels".formatted(limits.fields(), DEEPEST));
    }
    if (field.dictionary() != null) {
      throw BatchStreamException.of(
          Reason.UNSUPPORTED, "column " + field.name() + " is dictionary-encoded");
    }
    for (int i = 0; i < field.childrenLength(); i++) {
      visit(field.children(i), depth + 1);
    }
  }
}
