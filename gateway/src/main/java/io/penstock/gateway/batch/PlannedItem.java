package io.penstock.gateway.batch;

import io.penstock.arrow.wire.Item;

/**
 * An item and its place.
 *
 * @param sequence how manyth of this stream, from 0; with whole batches only the last one is short,
 *     so its batch and row follow from it
 * @param index position in the request, or in the order of the epoch
 */
record PlannedItem(long sequence, long index, Item item) {}
