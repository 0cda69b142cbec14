/**
 * Reads of one object. In: a GET for the store, authorised already. Out: its response, whose body
 * is one seamless stream however often connections break underneath. Called by the read route.
 * Never delivers bytes of two versions of an object as one, never ends a short body cleanly.
 */
@NullMarked
package io.penstock.gateway.read;

import org.jspecify.annotations.NullMarked;
