/**
 * The mechanism below the lab: network namespaces, shaped links and the processes in them. In: a
 * topology and command lines. Out: running processes, lines of their output, their CPU time. Called
 * by {@code lab}. Knows nothing of experiments, and leaves no namespace, process or file behind,
 * not even one of an earlier lab that was killed.
 */
@NullMarked
package io.penstock.loadtest.lab.bed;

import org.jspecify.annotations.NullMarked;
