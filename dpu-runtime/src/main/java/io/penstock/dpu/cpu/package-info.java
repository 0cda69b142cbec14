/**
 * How the processor cores are used. In: the cores and the time the process may use, and the
 * configuration. Out: a {@link io.penstock.dpu.cpu.CpuPlan}, a pure value, and {@link
 * io.penstock.dpu.cpu.ThreadPinner}, which carries out the part of it that the operating system
 * must agree to. Called at the start and by each event loop thread as it begins. This is one of the
 * packages that may call native functions (java.lang.foreign); never starts a thread itself.
 */
@NullMarked
package io.penstock.dpu.cpu;

import org.jspecify.annotations.NullMarked;
