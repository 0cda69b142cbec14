/**
 * Frozen layers for batches. In: the {@code transform} of a request and how its pictures are
 * decoded. Out: a decoder whose samples are activations, the lane on which it computes, and what
 * was chosen and why. Called by {@code batch}. Never computes on an event loop; never allocates
 * what was not charged to {@code MemoryArea.MODELS} before; never knows where objects come from.
 */
@NullMarked
package io.penstock.gateway.transform;

import org.jspecify.annotations.NullMarked;
