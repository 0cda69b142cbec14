/**
 * Virtual buckets whose objects are what frozen layers make of the objects of another bucket. In:
 * an admitted request for such a bucket. Out: an answer as S3 gives it, with an ETag, a length and
 * bytes of its own. Called by {@code app}, in front of the routes for all other buckets. Reads only
 * what the tenant may read itself; never computes on an event loop; never holds an object or its
 * features uncharged; never writes.
 */
@NullMarked
package io.penstock.gateway.access;

import org.jspecify.annotations.NullMarked;
