/**
 * What the lab plays, as values: the links, the experiments with their settings and variants, the
 * bars they are held against, and the verdicts. In: names and figures. Out: trials to run, spreads,
 * verdicts, doubts. Called by {@code lab}. Pure: starts nothing, reads no clock and no file.
 */
@NullMarked
package io.penstock.loadtest.lab.plan;

import org.jspecify.annotations.NullMarked;
