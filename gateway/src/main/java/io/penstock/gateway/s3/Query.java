package io.penstock.gateway.s3;

import java.util.List;
import java.util.Optional;

/**
 * Decoded query parameters in the order of the wire; a parameter without {@code =} has the empty
 * value.
 */
public record Query(List<Parameter> parameters) {
  public static final Query EMPTY = new Query(List.of());

  /** One decoded name and value. */
  public record Parameter(String name, String value) {}

  public Query {
    parameters = List.copyOf(parameters);
  }

  public boolean has(String name) {
    return get(name).isPresent();
  }

  /** The first value of {@code name} (case-sensitive, as S3 has it). */
  public Optional<String> get(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        return Optional.of(parameter.value());
      }
    }
    return Optional.empty();
  }
}
