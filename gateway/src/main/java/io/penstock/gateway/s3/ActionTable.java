package io.penstock.gateway.s3;

import io.penstock.gateway.s3.S3Action.Level;
import io.penstock.gateway.s3.S3Action.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the operation that method, level and query parameters mean. Strict, because a parameter
 * that the gateway does not know may make the request another operation to the store: such a
 * request is refused, never taken for the operation it looks like. What S3 ignores by rule ({@code
 * x-*} parameters) passes; on a read of an object any unknown parameter with a value is dropped,
 * which is what S3 does with the version marks that web pages append.
 *
 * <p>Threading: stateless.
 */
final class ActionTable {
  private static final S3Action[] ACTIONS = S3Action.values();

  /** Every parameter that some operation knows. */
  private static final Set<String> KNOWN =
      Stream.of(ACTIONS)
          .flatMap(action -> action.parameters().stream())
          .collect(Collectors.toUnmodifiableSet());

  /** Parameters of other products that change what a read answers. */
  private static final Set<String> FOREIGN =
      Set.of("lambdaArn", "x-oss-process", "x-cos-process", "x-image-process");

  private ActionTable() {}

  /** An operation and the part of the query that goes to the store. */
  record Match(S3Action action, Query query) {}

  /**
   * Finds the operation.
   *
   * @throws S3Exception NotImplemented, MethodNotAllowed or InvalidArgument
   */
  static Match find(Verb verb, Level level, Query query) {
    refuseRepeats(query);
    Set<String> selectors = selectorsIn(level, query);
    if (selectors.size() > 1) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          "Conflicting query parameters: " + String.join(", ", new java.util.TreeSet<>(selectors)));
    }
    String selector = selectors.isEmpty() ? "" : selectors.iterator().next();
    S3Action action = choose(verb, level, selector, query);
    action
        .refusal()
        .ifPresent(
            reason -> {
              throw notImplemented(action.apiName(), reason);
            });
    return new Match(action, accepted(action, query));
  }

  static S3Exception notImplemented(String operation, String reason) {
    return new S3Exception(
        S3Error.NOT_IMPLEMENTED, operation + " is not implemented by the gateway: " + reason);
  }

  /** Gateway and store might each believe another one of two values. */
  private static void refuseRepeats(Query query) {
    Set<String> seen = new HashSet<>();
    for (Query.Parameter parameter : query.parameters()) {
      if (KNOWN.contains(parameter.name()) && !seen.add(parameter.name())) {
        throw new S3Exception(
            S3Error.INVALID_ARGUMENT,
            "The query parameter " + parameter.name() + " is given more than once");
      }
    }
  }

  private static Set<String> selectorsIn(Level level, Query query) {
    return Stream.of(ACTIONS)
        .filter(action -> action.level() == level && !action.selector().isEmpty())
        .map(action -> action.selector().getFirst())
        .filter(query::has)
        .collect(Collectors.toSet());
  }

  private static S3Action choose(Verb verb, Level level, String selector, Query query) {
    Optional<S3Action> chosen =
        best(selector, query, row -> row.level() == level && row.verb() == verb);
    if (chosen.isEmpty() && verb == Verb.COPY) {
      chosen = best(selector, query, row -> row.level() == level && row.verb() == Verb.PUT);
    }
    return chosen.orElseThrow(() -> nothingFor(level, selector, query));
  }

  /** Of the rows with this selector, the one whose selector asks for most. */
  private static Optional<S3Action> best(
      String selector, Query query, Predicate<S3Action> candidate) {
    List<S3Action> rows = new ArrayList<>();
    for (S3Action action : ACTIONS) {
      List<String> wanted = action.selector();
      boolean fits =
          selector.isEmpty()
              ? wanted.isEmpty()
              : wanted.contains(selector) && wanted.stream().allMatch(query::has);
      if (candidate.test(action) && fits) {
        rows.add(action);
      }
    }
    return rows.stream().max(java.util.Comparator.comparingInt(row -> row.selector().size()));
  }

  private static S3Exception nothingFor(Level level, String selector, Query query) {
    return new S3Exception(
        S3Error.METHOD_NOT_ALLOWED, "The specified method is not allowed against this resource");
  }

  private static Query accepted(S3Action action, Query query) {
    boolean read = action == S3Action.GET_OBJECT || action == S3Action.HEAD_OBJECT;
    List<Query.Parameter> kept = new ArrayList<>(query.parameters().size());
    for (Query.Parameter parameter : query.parameters()) {
      String name = parameter.name();
      if (action.parameters().contains(name)) {
        kept.add(parameter);
      } else if (FOREIGN.contains(name)) {
        throw unknown(name);
      } else if (name.startsWith("x-")) {
        kept.add(parameter);
      } else if (KNOWN.contains(name)) {
        throw new S3Exception(
            S3Error.INVALID_ARGUMENT,
            action.apiName() + " does not accept the query parameter " + name);
      } else if (!read || parameter.value().isEmpty()) {
        throw unknown(name);
      }
    }
    return new Query(kept);
  }

  private static S3Exception unknown(String name) {
    return notImplemented("The sub-resource ?" + name, "leave the query parameter out");
  }
}
