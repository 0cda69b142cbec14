package io.penstock.gateway.s3;

import io.penstock.gateway.s3.S3Action.Level;
import io.penstock.gateway.s3.S3Action.Verb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  /** What a request shows at first sight; {@code selector} is empty for the plain resource. */
  private record Shape(Verb verb, Level level, String selector) {}

  /** The operations of each shape, the one whose selector asks for most first. */
  private static final Map<Shape, List<S3Action>> ACTIONS =
      Stream.of(S3Action.values())
          .sorted(Comparator.comparingInt(action -> -action.selector().size()))
          .collect(Collectors.groupingBy(ActionTable::shape));

  /** The parameters that select an operation, by level. */
  private static final Map<Level, Set<String>> SELECTORS =
      Stream.of(S3Action.values())
          .filter(action -> !action.selector().isEmpty())
          .collect(
              Collectors.groupingBy(
                  S3Action::level,
                  Collectors.mapping(action -> action.selector().getFirst(), Collectors.toSet())));

  /** Every parameter that some operation knows. */
  private static final Set<String> KNOWN =
      Stream.of(S3Action.values())
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
  static Match find(Verb verb, Level level, Query query, StoreKind store) {
    S3Action action = choose(new Shape(verb, level, selector(level, query)), query);
    Optional<Refusal> refusal = Refusal.of(action, store);
    if (refusal.isPresent()) {
      throw notImplemented(action.apiName(), refusal.get().reason());
    }
    return new Match(action, accepted(action, query));
  }

  static S3Exception notImplemented(String operation, String reason) {
    return new S3Exception(
        S3Error.NOT_IMPLEMENTED, operation + " is not implemented by the gateway: " + reason);
  }

  private static Shape shape(S3Action action) {
    String selector = action.selector().isEmpty() ? "" : action.selector().getFirst();
    return new Shape(action.verb(), action.level(), selector);
  }

  private static String selector(Level level, Query query) {
    Set<String> known = SELECTORS.getOrDefault(level, Set.of());
    String selector = "";
    for (Query.Parameter parameter : query.parameters()) {
      if (known.contains(parameter.name())) {
        if (!selector.isEmpty()) {
          throw invalid("Conflicting query parameters: " + selector + ", " + parameter.name());
        }
        selector = parameter.name();
      }
    }
    return selector;
  }

  private static S3Action choose(Shape shape, Query query) {
    List<S3Action> candidates = ACTIONS.getOrDefault(shape, List.of());
    for (S3Action action : candidates) {
      if (action.selector().stream().allMatch(query::has)) {
        return action;
      }
    }
    if (!candidates.isEmpty()) {
      throw invalid(
          candidates.getFirst().apiName()
              + " needs the query parameters "
              + String.join(" and ", candidates.getFirst().selector()));
    }
    if (shape.verb() == Verb.COPY) {
      return choose(new Shape(Verb.PUT, shape.level(), shape.selector()), query);
    }
    if (shape.verb() == Verb.POST && shape.level() == Level.SERVICE) {
      throw notImplemented("A POST to the service", "calls of STS and IAM are not S3");
    }
    throw new S3Exception(
        S3Error.METHOD_NOT_ALLOWED, "The specified method is not allowed against this resource");
  }

  private static Query accepted(S3Action action, Query query) {
    List<Query.Parameter> kept = new ArrayList<>(query.parameters().size());
    Set<String> names = new HashSet<>();
    for (Query.Parameter parameter : query.parameters()) {
      String name = parameter.name();
      if (isAccepted(action, parameter)) {
        kept.add(parameter);
        if (!names.add(name)) {
          // gateway and store might each believe another one of two values
          throw invalid("The query parameter " + UriEncoding.shown(name) + " is given twice");
        }
      }
    }
    return new Query(kept);
  }

  /** Whether the parameter goes on; if not, S3 would ignore it as well. */
  private static boolean isAccepted(S3Action action, Query.Parameter parameter) {
    String name = parameter.name();
    if (action.parameters().contains(name)) {
      return true;
    }
    if (FOREIGN.contains(name)) {
      throw unknown(name);
    }
    if (name.startsWith("x-")) {
      return true;
    }
    boolean read = action == S3Action.GET_OBJECT || action == S3Action.HEAD_OBJECT;
    if (read && !parameter.value().isEmpty()) {
      return false;
    }
    if (KNOWN.contains(name)) {
      throw invalid(action.apiName() + " does not accept the query parameter " + name);
    }
    throw unknown(name);
  }

  private static S3Exception invalid(String message) {
    return new S3Exception(S3Error.INVALID_ARGUMENT, message);
  }

  private static S3Exception unknown(String name) {
    return notImplemented(
        "The sub-resource ?" + UriEncoding.shown(name), "leave the query parameter out");
  }
}
