/**
 * Bytes of stored objects become tensors or columns. In: the bytes of one object or of one member
 * of an archive ({@link ObjectBytes}, off-heap), and a checked {@link DecodeSpec}. Out: one sample,
 * written straight into the memory the caller names, or rows in Arrow vectors; or a {@link
 * DecodeException} with a stable code, which the caller turns into the failure of that one item.
 * Called by the gateway's batches on compute threads, never on an event loop. Trusts no byte: every
 * size is checked against {@link DecodeLimits} before memory is taken for it. Never reads a socket
 * or a file, never keeps a byte of one item for the next, never logs.
 */
@NullMarked
package io.penstock.arrow.decode;

import org.jspecify.annotations.NullMarked;
