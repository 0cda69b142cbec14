/**
 * The lab: plays the experiments of the papers in three network namespaces (host, DPU, store). In:
 * which experiments, how thoroughly. Out: a table for people, JSON, one HTML page. Called by {@code
 * loadtest lab}. {@code plan} says what, {@code bed} is where, {@code consumer} and the scripts of
 * {@code loadtest/lab} are who reads. Never quotes a figure of another run.
 */
@NullMarked
package io.penstock.loadtest.lab;

import org.jspecify.annotations.NullMarked;
