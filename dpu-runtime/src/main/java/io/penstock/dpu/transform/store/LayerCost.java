package io.penstock.dpu.transform.store;

import io.penstock.dpu.transform.model.Cut;

/**
 * What lies between two neighbouring cuts.
 *
 * @param cut the one behind it
 * @param seconds of one thread for one sample, forward
 * @param weightBytes of its own constants
 */
public record LayerCost(Cut cut, double seconds, long weightBytes) {}
