/**
 * HTTP/1.1 to one endpoint of the store, straight on Netty, on the event loop of the client's own
 * connection. In: a {@link io.penstock.gateway.upstream.wire.WireRequest}, addressed and signed.
 * Out: a response whose body buffers are the very ones the socket filled, or an {@link
 * io.penstock.gateway.upstream.UpstreamFailure}. Called by {@code HttpChannel} only. Never signs,
 * never retries but for a connection that went stale in the pool, never copies a body byte, never
 * reports a shortened body as a whole one.
 */
@NullMarked
package io.penstock.gateway.upstream.wire;

import org.jspecify.annotations.NullMarked;
