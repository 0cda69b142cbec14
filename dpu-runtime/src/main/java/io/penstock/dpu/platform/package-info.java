/**
 * What machine this is and how much of it the process may use. In: a file system root with {@code
 * /proc}, {@code /sys} and {@code /etc}. Out: {@link io.penstock.dpu.platform.Platform} and {@link
 * io.penstock.dpu.platform.CgroupLimits}, plain values. Called once at the start. Only reads, never
 * fails because of a file that is missing, unreadable or nonsense, and never guesses a limit that
 * no file states.
 */
@NullMarked
package io.penstock.dpu.platform;

import org.jspecify.annotations.NullMarked;
