package io.penstock.gateway.observe;

import io.penstock.gateway.upstream.UpstreamFailure;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Calls every method of an observer once with samples, so that meters which come with their first
 * event are declared.
 */
final class Rehearsal {
  private Rehearsal() {}

  static <T> void of(Class<T> observer, T observed) {
    for (Method method : observer.getMethods()) {
      Object[] samples = Arrays.stream(method.getParameterTypes()).map(Rehearsal::sample).toArray();
      try {
        method.invoke(observed, samples);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot rehearse " + method, e);
      }
    }
  }

  private static Object sample(Class<?> type) {
    if (type == String.class) {
      return "sample";
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == UpstreamFailure.class) {
      return new UpstreamFailure.Cancelled(false);
    }
    throw new IllegalArgumentException(
        "observers take no " + type.getName() + " yet: add a sample");
  }
}
