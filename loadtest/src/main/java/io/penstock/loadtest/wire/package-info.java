/**
 * What the client and the static store share of the network: event loops and the reading of HTTP/1
 * heads. In: byte buffers. Out: looked-up words and headers. Called by {@code client} and {@code
 * store}. Never decides what a request means.
 */
@NullMarked
package io.penstock.loadtest.wire;

import org.jspecify.annotations.NullMarked;
