/**
 * Arrow IPC streams without copies. In: columns as lists of buffers that lie where they were
 * received or decoded ({@link BodyPart}). Out: frames for a {@link FrameSink}, the same buffers in
 * order with Arrow's metadata before and padding between them; and back again, {@link BatchReader}.
 * Called by {@code wire}, the gateway, the sink and the load generator. Never touches payload bytes
 * unless compression was asked for, never opens a connection, never ends a broken stream cleanly.
 */
@NullMarked
package io.penstock.arrow.ipc;

import org.jspecify.annotations.NullMarked;
