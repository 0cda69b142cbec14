package io.penstock.gateway.upstream;

import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.ResponseHead;

/**
 * A response of the store: the head has arrived, the body waits for {@link BodyStream#start} or
 * {@link BodyStream#cancel}.
 */
public record UpstreamResponse(ResponseHead head, BodyStream body) {}
