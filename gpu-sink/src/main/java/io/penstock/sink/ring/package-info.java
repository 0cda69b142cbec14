/**
 * Batches out of a ring in shared memory, for trainers on the JVM, and into one, for the sink. In:
 * a ring of docs/ring-format.md. Out: {@link io.penstock.sink.ring.Batch}es whose columns are views
 * into it. Called by trainers and by {@code ./penstock sink}. Never copies what a trainer reads,
 * never lets it believe what was overwritten.
 */
@NullMarked
package io.penstock.sink.ring;

import org.jspecify.annotations.NullMarked;
