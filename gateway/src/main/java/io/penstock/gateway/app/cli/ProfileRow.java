package io.penstock.gateway.app.cli;

/**
 * One way to split, for tables and plots.
 *
 * @param milliseconds of the layer before it, for one sample on one core
 * @param bytes sent for each sample
 * @param chosen the planner takes it
 */
record ProfileRow(
    String name, String op, double milliseconds, long bytes, double epochSeconds, boolean chosen) {}
