package io.penstock.gateway.sigv4;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A raw query in the form that is signed: every name and value decoded once and encoded once,
 * sorted by name and then by value, {@code =} always present.
 *
 * <p>Threading: immutable.
 */
final class CanonicalQuery {
  private static final CanonicalQuery EMPTY = new CanonicalQuery(List.of());
  private static final Comparator<Parameter> ORDER =
      Comparator.comparing(Parameter::name).thenComparing(Parameter::value);

  private final List<Parameter> parameters;

  /** Both encoded, so that the order of characters is the order of bytes. */
  private record Parameter(String name, String value) {}

  private CanonicalQuery(List<Parameter> parameters) {
    this.parameters = parameters;
  }

  static CanonicalQuery of(String rawQuery) {
    if (rawQuery.isEmpty()) {
      return EMPTY;
    }
    List<Parameter> parameters = new ArrayList<>();
    for (int start = 0; start <= rawQuery.length(); ) {
      int end = rawQuery.indexOf('&', start);
      end = end < 0 ? rawQuery.length() : end;
      if (end > start) {
        parameters.add(parameter(rawQuery, start, end));
      }
      start = end + 1;
    }
    parameters.sort(ORDER);
    return new CanonicalQuery(parameters);
  }

  private static Parameter parameter(String query, int start, int end) {
    int equals = query.indexOf('=', start);
    if (equals < 0 || equals >= end) {
      return new Parameter(CanonicalEncoding.recodeQuery(query, start, end), "");
    }
    return new Parameter(
        CanonicalEncoding.recodeQuery(query, start, equals),
        CanonicalEncoding.recodeQuery(query, equals + 1, end));
  }

  /** The decoded value of the first parameter called {@code name}. */
  Optional<String> get(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.name.equals(name)) {
        return Optional.of(CanonicalEncoding.decode(parameter.value));
      }
    }
    return Optional.empty();
  }

  int count(String name) {
    int count = 0;
    for (Parameter parameter : parameters) {
      count += parameter.name.equals(name) ? 1 : 0;
    }
    return count;
  }

  /** Appends the canonical form, without any parameter called {@code except}. */
  void writeTo(ByteArray out, String except) {
    boolean first = true;
    for (Parameter parameter : parameters) {
      if (!parameter.name.equals(except)) {
        if (!first) {
          out.add('&');
        }
        first = false;
        out.add(parameter.name).add('=').add(parameter.value);
      }
    }
  }
}
