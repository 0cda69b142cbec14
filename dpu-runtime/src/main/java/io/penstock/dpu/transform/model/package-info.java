/**
 * What the rest of the gateway sees of a network: values and contracts, no library. In: nothing.
 * Out: {@link io.penstock.dpu.transform.model.FrozenModel} and the {@link
 * io.penstock.dpu.transform.model.Cut}s at which it can be divided. Implemented by {@code store},
 * called by whoever computes features. Never reads a file and never runs a network itself.
 */
@NullMarked
package io.penstock.dpu.transform.model;

import org.jspecify.annotations.NullMarked;
