/**
 * The consumer in Java that the lab starts in the host's namespace: single GETs and batches over
 * the same number of plain connections. In: an endpoint and what to read. Out: lines {@code metric
 * NAME VALUE}. Called by {@code loadtest lab-read}. Must cost little, the same on both sides, and
 * count a byte only when it has arrived.
 */
@NullMarked
package io.penstock.loadtest.lab.consumer;

import org.jspecify.annotations.NullMarked;
