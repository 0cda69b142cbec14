package io.penstock.arrow.wire;

import java.util.Optional;

/** Where the items come from. */
public sealed interface ItemSource {
  /** The request names them. */
  record Listed(ItemList items) implements ItemSource {}

  /** Every object whose key begins so, in the order of the listing; an empty prefix is all. */
  record Prefix(String prefix) implements ItemSource {}

  /** An object of the same bucket names them, one a line ({@link ManifestReader}). */
  record Manifest(String key, Optional<String> versionId) implements ItemSource {}
}
