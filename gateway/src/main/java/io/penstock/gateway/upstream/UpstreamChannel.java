package io.penstock.gateway.upstream;

import io.vertx.core.Future;

/**
 * Sends one call to the store. The future succeeds when the response's head has arrived, whatever
 * its status, and fails with an {@link UpstreamFailure}; it also fails (and the connection is reset
 * at once) when the request's cancellation fires before. {@code toString} prints the nest of
 * channels.
 *
 * <p>Threading: one instance per event loop; call on that loop, the future completes on it.
 */
public interface UpstreamChannel {
  Future<UpstreamResponse> send(UpstreamRequest request);
}
