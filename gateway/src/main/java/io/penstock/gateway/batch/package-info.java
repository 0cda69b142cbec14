/**
 * Batches and epochs: many objects in one Arrow stream. In: a checked {@link
 * io.penstock.arrow.wire.BatchRequest} and who asks. Out: frames in a {@link
 * io.penstock.gateway.batch.landing.Landing}, in the order of docs/batch-protocol.md. Called by the
 * batch route. Reads only through the object reader, and only what the tenant may read; never
 * allocates what was not charged to {@code MemoryArea.BATCHES} before; never decodes or compresses
 * on an event loop.
 */
@NullMarked
package io.penstock.gateway.batch;

import org.jspecify.annotations.NullMarked;
