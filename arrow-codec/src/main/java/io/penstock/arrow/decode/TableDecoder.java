package io.penstock.arrow.decode;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A decoder of tables.
 *
 * <p>Threading: as {@link Decoder}.
 *
 * <p>Ownership: the source stays the caller's; what {@link #decode} returns is the caller's to
 * close.
 */
public non-sealed interface TableDecoder extends Decoder {

  /** The columns that {@link #decode} makes of these bytes, without making them. */
  Schema schema(ObjectBytes source) throws DecodeException;

  /**
   * All rows of the object (or of the row group the spec names).
   *
   * @param allocator pays for the vectors; running out of its limit is {@link
   *     DecodeFault#TOO_LARGE}
   */
  VectorSchemaRoot decode(ObjectBytes source, BufferAllocator allocator) throws DecodeException;
}
