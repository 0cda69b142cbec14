/**
 * Where a network is split and how many samples one step of it computes. In: what was measured (the
 * cost of layers, bandwidths, the consumer's pace, memory) and what tenants ask for. Out: decisions
 * as values, with their reasons. Called by whoever runs frozen layers. Pure: no clock, no threads,
 * no bytes; never reads a model, never allocates what it plans.
 */
@NullMarked
package io.penstock.dpu.transform.split;

import org.jspecify.annotations.NullMarked;
