/**
 * A store that is faster than any real one, so that what stands in front of it is what gets
 * measured; with knobs that make it slow in known ways. In: S3 requests, signed or not. Out:
 * synthetic objects. Called by {@code loadtest store}, the peers bench and tests. Never checks a
 * signature, never keeps what is put, never serves as an example of a correct S3 server.
 */
@NullMarked
package io.penstock.loadtest.store;

import org.jspecify.annotations.NullMarked;
