/**
 * One request from its head to its last byte. In: a client's head, body and response channel,
 * whatever the server speaks. Out: a verified, parsed, authorised and admitted {@link
 * io.penstock.gateway.exchange.Exchange} for a route, or one S3 error. The order of the stages is
 * {@link io.penstock.gateway.exchange.Pipeline} and nothing else. Never opens a connection, never
 * reads configuration.
 */
@NullMarked
package io.penstock.gateway.exchange;

import org.jspecify.annotations.NullMarked;
