/**
 * A client of the gateway's batches. In: a {@link io.penstock.arrow.wire.BatchRequest}, an address
 * and keys, and memory of the caller's choice. Out: a {@link io.penstock.sink.client.BatchStream},
 * whose batches lie in that memory as the socket gave them, resumed over breaks. Called by the
 * commands of the sink and by anybody's Java. Never buffers a stream, never copies a payload to the
 * heap, never takes a stream that just stops for a whole one.
 */
@NullMarked
package io.penstock.sink.client;

import org.jspecify.annotations.NullMarked;
