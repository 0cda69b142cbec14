/**
 * Decisions about reads, as pure functions. In: what was measured (rates, latency, what is left,
 * whether there was room). Out: values that say what to ask the store for next. Called by {@code
 * read.fetch} and {@code read.cache}, and by simulations on virtual time. Never does anything
 * itself: no clock, no bytes, no requests.
 */
@NullMarked
package io.penstock.gateway.read.plan;

import org.jspecify.annotations.NullMarked;
