/**
 * What to do and when, as values. In: a scenario file and a seed. Out: {@link
 * io.penstock.loadtest.plan.Scenario}, arrival times, object names and sizes. Called by the client
 * and the peers bench. Never reads a clock, opens a socket or draws from an unseeded random source,
 * so that the same scenario and seed always ask for the same objects at the same times.
 */
@NullMarked
package io.penstock.loadtest.plan;

import org.jspecify.annotations.NullMarked;
