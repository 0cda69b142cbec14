/**
 * Commands of the host side: the door of picocli. In: arguments and the AWS variables. Out: lines
 * on standard output, progress and one line of failure on standard error, files that are whole or
 * not there. Called by the launcher. Never holds logic that another Java program would want: that
 * is {@code client}.
 */
@NullMarked
package io.penstock.sink.cli;

import org.jspecify.annotations.NullMarked;
