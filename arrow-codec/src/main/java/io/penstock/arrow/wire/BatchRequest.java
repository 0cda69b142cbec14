package io.penstock.arrow.wire;

import io.penstock.arrow.epoch.EpochSpec;
import java.util.Optional;

/**
 * One batch request, checked: version 1 of the protocol (docs/batch-protocol.md). Whether the
 * objects exist, whether the caller may read them, and whether the decoder knows its options, is
 * not checked here.
 *
 * @param epoch for an epoch: order, rank, where to begin; without it, all items once in their order
 */
public record BatchRequest(
    String bucket,
    ItemSource source,
    DecodeRequest decode,
    Delivery delivery,
    Optional<EpochSpec> epoch,
    Optional<TransformRequest> transform) {
  /** The version of the protocol that is spoken. */
  public static final int VERSION = 1;
}
