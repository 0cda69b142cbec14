/**
 * The load generator's command line. In: arguments, a scenario file, a terminal. Out: a progress
 * line, a table, a JSON result and one HTML page; exit code 0 only for a run without errors. Called
 * by the launcher as {@code ./penstock loadtest}. Never measures anything itself and never talks to
 * a socket: {@code client}, {@code store} and {@code peers} do.
 */
@NullMarked
package io.penstock.loadtest;

import org.jspecify.annotations.NullMarked;
