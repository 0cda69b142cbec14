/**
 * Results for people and for programs. In: recordings and what they were made with. Out: text for a
 * terminal, JSON, and one HTML page with everything in it (no script, style, font or picture from
 * elsewhere). Called by the command line and by the peers bench. Never hides an error: a run that
 * had any says so at the top.
 */
@NullMarked
package io.penstock.loadtest.report;

import org.jspecify.annotations.NullMarked;
