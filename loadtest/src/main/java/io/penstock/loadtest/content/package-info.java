/**
 * The bytes of synthetic objects. In: a size and a number. Out: content that both sides can compute
 * for themselves, so that nobody has to remember it. Called by the client (bodies to send, bodies
 * to check) and by the static store. Never allocates per request and never releases the one buffer
 * that all content is sliced from.
 */
@NullMarked
package io.penstock.loadtest.content;

import org.jspecify.annotations.NullMarked;
