/**
 * Hands tensors on to other libraries where they lie: Arrow's C Data and C Device Data Interfaces,
 * DLPack. In: a {@link io.penstock.sink.export.TensorView} of a region. Out: structures whose
 * addresses a consumer in this process takes over, and one call back when it is done. Called by
 * whoever brings a trainer its batches. Never copies an element, never frees a region before the
 * consumer has released it, and then exactly once.
 */
@NullMarked
package io.penstock.sink.export;

import org.jspecify.annotations.NullMarked;
