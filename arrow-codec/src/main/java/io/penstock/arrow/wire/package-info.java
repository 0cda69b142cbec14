/**
 * The batch protocol: what a client may ask for and what it gets (docs/batch-protocol.md). In: the
 * bytes of a request, or the outcome of its items. Out: a checked {@link BatchRequest}; the schema
 * and the item columns of the response ({@link BatchSchema}, {@link ItemColumns}), and the same
 * seen from the reader's side ({@link BatchView}). Called by the gateway, the sink and the load
 * generator, which have nothing but this in common. Never fetches or decodes anything.
 */
@NullMarked
package io.penstock.arrow.wire;

import org.jspecify.annotations.NullMarked;
