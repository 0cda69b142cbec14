package io.penstock.arrow.wire;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of an item beside its payload.
 *
 * @param index position in the request, or in the epoch's shuffled order, from 0
 * @param size bytes of the object, range or member before decoding
 */
public record ItemHead(
    long index,
    String key,
    Optional<String> member,
    Optional<String> versionId,
    Optional<String> etag,
    OptionalLong size) {

  /** An item of which nothing but the name is known: one that could not be read. */
  public static ItemHead unread(long index, String key) {
    return new ItemHead(
        index, key, Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty());
  }
}
