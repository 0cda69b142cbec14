/**
 * A real S3 server inside this JVM, so that a first try and the tests need nothing installed. In:
 * where to listen, where to keep the bytes, one pair of keys. Out: a running {@link
 * io.penstock.gateway.embedded.EmbeddedStore} that answers signed S3 requests on loopback. Called
 * by the {@code store} and {@code quickstart} commands and by tests; the gateway itself must never
 * call it, to the gateway it is a store like any other, reached by URL.
 */
@NullMarked
package io.penstock.gateway.embedded;

import org.jspecify.annotations.NullMarked;
