package io.penstock.gateway.s3;

import java.util.List;
import java.util.Optional;

/**
 * A page of a listing.
 *
 * @param keys in the order of the store, decoded
 * @param next the token that the next page is asked for with; empty on the last one
 */
public record ListPage(List<String> keys, Optional<String> next) {
  public ListPage {
    keys = List.copyOf(keys);
  }
}
