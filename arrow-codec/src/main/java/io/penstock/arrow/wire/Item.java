package io.penstock.arrow.wire;

import java.util.Optional;

/** One thing that is wanted: an object, a version of it, a part of it, or a member of a tar. */
public record Item(
    String key,
    Optional<String> versionId,
    Optional<Range> range,
    Optional<String> member,
    Label label) {

  /**
   * A part of an object.
   *
   * @param offset from 0
   * @param length at least 1; what reaches beyond the object's end is cut off there
   */
  public record Range(long offset, long length) {}

  /** A whole object in its newest version. */
  public static Item of(String key) {
    return new Item(key, Optional.empty(), Optional.empty(), Optional.empty(), Label.NONE);
  }
}
