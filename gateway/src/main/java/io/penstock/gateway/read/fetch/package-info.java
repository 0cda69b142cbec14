/**
 * Getting the bytes of one object from the store. In: a GET for the store. Out: its response, whose
 * body is one seamless stream however often connections break underneath. Called by the object
 * reader. Never delivers bytes of two versions of an object as one, never ends a short body
 * cleanly, never keeps bytes beyond the request.
 */
@NullMarked
package io.penstock.gateway.read.fetch;

import org.jspecify.annotations.NullMarked;
