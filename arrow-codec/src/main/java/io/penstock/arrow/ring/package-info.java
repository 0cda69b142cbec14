/**
 * A ring of Arrow messages in shared memory, docs/ring-format.md: one process writes, others on the
 * same machine read the columns where they lie. In: frames of {@code ipc}. Out: records, each one
 * whole Arrow message in mapped memory. Called by the gateway, which lands batches, and by the
 * sink. Never shows a record that is not whole, never waits for a process that has died, never
 * leaves a file behind that nobody owns. The only package here that maps memory or makes system
 * calls.
 */
@NullMarked
package io.penstock.arrow.ring;

import org.jspecify.annotations.NullMarked;
