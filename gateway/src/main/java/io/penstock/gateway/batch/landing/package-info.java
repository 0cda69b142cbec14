/**
 * Where the frames of a stream go. In: frames of the batch writer. Out: bytes in a response, or
 * records in a ring of shared memory. Called by batch runs. Never copies payload, never takes a
 * frame before the last one is on its way.
 */
@NullMarked
package io.penstock.gateway.batch.landing;

import org.jspecify.annotations.NullMarked;
