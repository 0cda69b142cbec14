/**
 * The one memory budget of the process. In: claims of bytes with an area and an owner's name. Out:
 * reservations that are given back exactly once, and usage figures for metrics. Called by whoever
 * is about to allocate off-heap bytes: body streams, the block cache, batch runs, model sessions.
 * Never allocates anything itself, never blocks a thread, and never hands out more than its limit.
 */
@NullMarked
package io.penstock.dpu.memory;

import org.jspecify.annotations.NullMarked;
