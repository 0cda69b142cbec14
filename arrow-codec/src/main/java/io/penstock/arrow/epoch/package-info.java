/**
 * Which item comes when, in an epoch. In: how many items there are, a seed, a rank. Out: {@link
 * EpochPlan}, a pure function from batch numbers to items, the same on every machine and for every
 * implementation of docs/batch-protocol.md. Called by {@code wire} and by the gateway's epochs.
 * Never lists items, never holds state, never asks a clock or a random source.
 */
@NullMarked
package io.penstock.arrow.epoch;

import org.jspecify.annotations.NullMarked;
