/**
 * What the gateway keeps of what it has read. In: GETs of objects, authorised already, and word of
 * every write that passes. Out: responses whose bytes come from memory where they can, and from the
 * object fetcher where they cannot. Called by the object reader and the forward route. Never
 * decides who may read, never serves a byte of a version that the store has not confirmed by the
 * rule of {@code docs/cache.md}, never holds memory that is not charged to the budget, and never
 * makes a read fail that would have worked without it.
 */
@NullMarked
package io.penstock.gateway.read.cache;

import org.jspecify.annotations.NullMarked;
