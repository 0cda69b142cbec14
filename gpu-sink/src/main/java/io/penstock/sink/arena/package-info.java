/**
 * Memory of the host in which batches land. In: how many bytes, and of which kind. Out: an {@link
 * io.penstock.sink.arena.Arena}, whose {@link io.penstock.sink.arena.Region}s hold what was
 * received until the trainer is done with it, and a report that says why this kind was chosen.
 * Called by the commands of the sink, by the ring and by whoever hands batches on. Never allocates
 * more than the capacity it was opened with, never takes memory back before its holder has given it
 * back, never writes through an address of a device.
 */
@NullMarked
package io.penstock.sink.arena;

import org.jspecify.annotations.NullMarked;
