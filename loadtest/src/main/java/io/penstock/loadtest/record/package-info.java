/**
 * What happened, as numbers. In: the intended, sent, first-byte and done times of every request,
 * and errors by kind. Out: {@link io.penstock.loadtest.record.Recording}, histograms and a time
 * series. Called by the client while it runs and by the reports afterwards. Never asks what time it
 * is: times come in as arguments, so that tests run on virtual time.
 */
@NullMarked
package io.penstock.loadtest.record;

import org.jspecify.annotations.NullMarked;
