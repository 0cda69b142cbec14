/**
 * Off-heap memory of batches. In: a number of bytes. Out: a {@link Block}, one contiguous, 64-byte
 * aligned piece of memory that its holder frees exactly once. Called by {@code tensor} and {@code
 * ipc}; the gateway and the sink bring their own {@link BlockSource} (a budget, shared or pinned
 * memory). Never decides how much memory there is.
 */
@NullMarked
package io.penstock.arrow.memory;

import org.jspecify.annotations.NullMarked;
