/**
 * The client side of the gateway on Vert.x: HTTP/1.1 and HTTP/2, plain and TLS. In: sockets. Out:
 * one {@link io.penstock.gateway.exchange.Exchange} for each request, and its bytes back. Knows
 * HTTP, timeouts and draining; knows nothing of S3 beyond the XML of an unreadable request.
 */
@NullMarked
package io.penstock.gateway.server;

import org.jspecify.annotations.NullMarked;
