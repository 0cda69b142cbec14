/**
 * Models by name. In: which files may be used, pinned by hash, and where they are. Out: {@link
 * io.penstock.dpu.transform.model.FrozenModel}s whose sessions stay in memory while they are of
 * use, inside the budget. Called by whoever computes features. Never runs on an event loop, never
 * takes a file whose hash is not the configured one, and never looks outside its source.
 */
@NullMarked
package io.penstock.dpu.transform.store;

import org.jspecify.annotations.NullMarked;
