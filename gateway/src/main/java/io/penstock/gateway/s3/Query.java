package io.penstock.gateway.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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

  /**
   * Decodes a raw query, the part of a target after the first {@code ?}; empty pieces are skipped.
   *
   * @throws S3Exception InvalidURI
   */
  public static Query parse(String raw) {
    if (raw.isEmpty()) {
      return EMPTY;
    }
    List<Parameter> parameters = new ArrayList<>();
    int start = 0;
    while (start <= raw.length()) {
      int ampersand = raw.indexOf('&', start);
      int end = ampersand < 0 ? raw.length() : ampersand;
      if (end > start) {
        int equals = raw.indexOf('=', start);
        boolean bare = equals < 0 || equals >= end;
        String name = raw.substring(start, bare ? end : equals);
        String value = bare ? "" : raw.substring(equals + 1, end);
        parameters.add(
            new Parameter(UriEncoding.decodeQuery(name), UriEncoding.decodeQuery(value)));
      }
      start = end + 1;
    }
    return new Query(parameters);
  }

  /**
   * The query by S3's encoding, in this order, every name followed by {@code =}: fit for the wire,
   * and once sorted for a canonical request.
   */
  public String encoded() {
    if (parameters.isEmpty()) {
      return "";
    }
    return parameters.stream()
        .map(
            parameter ->
                UriEncoding.encode(parameter.name()) + "=" + UriEncoding.encode(parameter.value()))
        .collect(Collectors.joining("&"));
  }
}
