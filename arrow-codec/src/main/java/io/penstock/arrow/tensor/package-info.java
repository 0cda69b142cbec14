/**
 * Tensors as values and as columns. In: a shape, an element type and a layout, from a request or
 * from a decoder. Out: {@link TensorSpec}, which knows how many bytes a sample takes and how it is
 * called in Arrow's terms, and {@link TensorColumn}, the off-heap memory that decoders fill. Called
 * by {@code wire}, {@code ipc}, {@code decode} and the gateway's batches. Never decodes anything,
 * never reads a socket or a file.
 */
@NullMarked
package io.penstock.arrow.tensor;

import org.jspecify.annotations.NullMarked;
