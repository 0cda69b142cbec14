/**
 * The way to the store. In: an {@link io.penstock.gateway.upstream.UpstreamRequest} that says what
 * is wanted, unsigned. Out: a response whose head has arrived and whose body streams, or an {@link
 * io.penstock.gateway.upstream.UpstreamFailure}. Retries, limits, endpoint choice and signing are
 * small channels around the one that speaks HTTP. Never looks at tenants or client signatures.
 */
@NullMarked
package io.penstock.gateway.upstream;

import org.jspecify.annotations.NullMarked;
