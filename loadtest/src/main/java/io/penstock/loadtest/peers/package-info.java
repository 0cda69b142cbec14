/**
 * The bench that compares proxies. In: cases, the scripts of {@code loadtest/peers}. Out: one table
 * of medians and ratios, all rounds in JSON, one HTML page. Called by {@code loadtest peers}. The
 * client and the store run in this process on one core, the proxy on another; all variants are
 * measured in turn within each round, because figures of different runs cannot be compared. Leaves
 * no process, port or file behind.
 */
@NullMarked
package io.penstock.loadtest.peers;

import org.jspecify.annotations.NullMarked;
