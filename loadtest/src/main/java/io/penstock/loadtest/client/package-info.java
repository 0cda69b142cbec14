/**
 * The load generator itself. In: a scenario, a target and keys. Out: one {@link
 * io.penstock.loadtest.record.Recording} per run. Called by the command line and by the peers
 * bench. Requests are signed and laid out before the run; answers are counted and dropped as they
 * arrive, so that the client costs less than what it measures. Never slows its arrivals down for a
 * slow server (open loop), never retries, never hides an error.
 *
 * <p>Reading order: {@code LoadClient} runs {@code Worker}s, a worker's {@code Dispatcher} hands
 * {@code Shot}s to its {@code Lane}s, a lane's {@code Flight} keeps the times.
 */
@NullMarked
package io.penstock.loadtest.client;

import org.jspecify.annotations.NullMarked;
