package io.penstock.dpu.transform.store;

import io.penstock.dpu.transform.model.ModelId;

/**
 * A model that may be used.
 *
 * @param id its name in requests, and the hash its file must have
 * @param file what the source calls it
 */
public record ModelPin(ModelId id, String file) {}
