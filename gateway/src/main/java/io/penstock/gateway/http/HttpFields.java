package io.penstock.gateway.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * HTTP fields in the order of the wire, names compared without case, values exactly as received.
 *
 * <p>Threading: immutable.
 */
public final class HttpFields {
  public static final HttpFields EMPTY = new HttpFields(new String[0]);

  /** name, value, name, value ... */
  private final String[] pairs;

  private HttpFields(String[] pairs) {
    this.pairs = pairs;
  }

  /** Fields from alternating names and values. */
  public static HttpFields of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a name without a value");
    }
    return new HttpFields(namesAndValues.clone());
  }

  public static Builder builder() {
    return new Builder();
  }

  public int size() {
    return pairs.length / 2;
  }

  public String name(int index) {
    return pairs[2 * index];
  }

  public String value(int index) {
    return pairs[2 * index + 1];
  }

  /** The first value of {@code name}. */
  public Optional<String> get(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        return Optional.of(pairs[i + 1]);
      }
    }
    return Optional.empty();
  }

  /** Every value of {@code name}, in order. */
  public List<String> all(String name) {
    List<String> values = new ArrayList<>(1);
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        values.add(pairs[i + 1]);
      }
    }
    return values;
  }

  public boolean has(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  /** A copy in which {@code name} has this one value. */
  public HttpFields with(String name, String value) {
    return toBuilder().set(name, value).build();
  }

  /** A copy without the fields whose name matches. */
  public HttpFields without(Predicate<String> name) {
    Builder builder = new Builder();
    for (int i = 0; i < pairs.length; i += 2) {
      if (!name.test(pairs[i])) {
        builder.add(pairs[i], pairs[i + 1]);
      }
    }
    return builder.build();
  }

  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.pairs.addAll(Arrays.asList(pairs));
    return builder;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HttpFields fields && Arrays.equals(pairs, fields.pairs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(pairs);
  }

  /** Names only: values may hold secrets. */
  @Override
  public String toString() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      names.add(pairs[i]);
    }
    return "HttpFields" + names;
  }

  /** Collects fields; not thread safe. */
  public static final class Builder {
    private final List<String> pairs = new ArrayList<>(32);

    private Builder() {}

    public Builder add(String name, String value) {
      pairs.add(Objects.requireNonNull(name));
      pairs.add(Objects.requireNonNull(value));
      return this;
    }

    public Builder addAll(HttpFields fields) {
      pairs.addAll(Arrays.asList(fields.pairs));
      return this;
    }

    /** Replaces every value of {@code name} by this one. */
    public Builder set(String name, String value) {
      return remove(name).add(name, value);
    }

    public Builder remove(String name) {
      for (int i = pairs.size() - 2; i >= 0; i -= 2) {
        if (pairs.get(i).equalsIgnoreCase(name)) {
          pairs.remove(i + 1);
          pairs.remove(i);
        }
      }
      return this;
    }

    public HttpFields build() {
      return new HttpFields(pairs.toArray(String[]::new));
    }
  }
}
