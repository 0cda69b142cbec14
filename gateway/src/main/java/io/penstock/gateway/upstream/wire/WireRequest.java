package io.penstock.gateway.upstream.wire;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.upstream.UpstreamBody;

/**
 * One request as it goes over the wire.
 *
 * @param target raw request target, encoded
 * @param fields everything but {@code content-length}, which follows from the body; {@code host} is
 *     among them
 * @param idempotent whether it may be sent again if the connection turns out stale
 */
public record WireRequest(
    String method,
    String target,
    HttpFields fields,
    UpstreamBody body,
    boolean idempotent,
    Cancellation cancellation) {}
