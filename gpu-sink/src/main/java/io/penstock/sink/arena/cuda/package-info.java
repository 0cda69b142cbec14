/**
 * Memory that a GPU reads: page-locked memory of the host, and the device's own. In: which device,
 * how many bytes. Out: arenas, and typed errors in place of the driver's numbers. Called by whoever
 * assembles an {@link io.penstock.sink.arena.ArenaProvider}. The only package that calls JCuda.
 * Never copies asynchronously from memory that is not page-locked, never frees memory that a copy
 * still uses, never leaves a thread with another context than it came with.
 */
@NullMarked
package io.penstock.sink.arena.cuda;

import org.jspecify.annotations.NullMarked;
