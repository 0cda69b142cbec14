package io.penstock.config;

import io.penstock.config.Bindings.Located;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks between keys. They look at single values, not at finished records, so they also run when
 * something else in the file is wrong.
 */
final class CrossChecks {
  private static final Set<String> ANY_HOST = Set.of("0.0.0.0", "::", "[::]");

  private final Bindings bindings;
  private final Problems problems;

  CrossChecks(Bindings bindings, Problems problems) {
    this.bindings = bindings;
    this.problems = problems;
  }

  void run() {
    listeners();
    endpoints();
    unique("upstream.endpoints", "", URI.class);
    unique("listen.s3.domains", "", String.class);
    unique("listen.s3.tls.protocols", "", String.class);
    unique("tenants", ".name", String.class);
    unique("tenants", ".access-key", String.class);
    unique("models.files", ".name", String.class);
    unique("models.access-points", ".name", String.class);
    accessPoints();
    anonymous();
    accessLists();
    notMore("limits.max-metadata", "limits.max-headers", ByteSize.class);
    notMore("limits.max-xml-body", "limits.max-body", ByteSize.class);
    notMore("upstream.retry.initial-backoff", "upstream.retry.max-backoff", Duration.class);
    notMore("upstream.fan-out.min-part", "upstream.fan-out.max-part", ByteSize.class);
    diskBelowMemory();
  }

  private void accessPoints() {
    List<String> models =
        items("models.files", ".name", String.class).stream().map(Located::value).toList();
    for (Located<String> model : items("models.access-points", ".model", String.class)) {
      if (!models.contains(model.value())) {
        problems.add(model.path(), model.at(), "is none of models.files, which has " + models);
      }
    }
    for (Located<String> source : items("models.access-points", ".bucket", String.class)) {
      boolean virtual =
          items("models.access-points", ".name", String.class).stream()
              .anyMatch(point -> point.value().equals(source.value()));
      if (virtual) {
        problems.add(source.path(), source.at(), "is an access point; name a bucket of the store");
      }
    }
  }

  private void diskBelowMemory() {
    var memory = bindings.find("cache.memory", ByteSize.class);
    var disk = bindings.find("cache.disk.path", String.class);
    if (disk.isPresent() && memory.filter(size -> size.value().bytes() == 0).isPresent()) {
      report(disk.get(), memory.get(), "cannot go together with %s; blocks pass through memory");
    }
  }

  private void listeners() {
    var s3 = bindings.find("listen.s3.port", Integer.class);
    var admin = bindings.find("listen.admin.port", Integer.class);
    var s3Host = bindings.find("listen.s3.host", String.class).map(Located::value);
    var adminHost = bindings.find("listen.admin.host", String.class).map(Located::value);
    if (s3.isEmpty() || admin.isEmpty() || s3Host.isEmpty() || adminHost.isEmpty()) {
      return;
    }
    boolean samePort = s3.get().value() != 0 && s3.get().value().equals(admin.get().value());
    boolean sameHost =
        s3Host.equals(adminHost)
            || ANY_HOST.contains(s3Host.get())
            || ANY_HOST.contains(adminHost.get());
    if (samePort && sameHost) {
      report(s3.get(), admin.get(), "is the port of %s too; they need two ports, or two addresses");
    }
  }

  private void endpoints() {
    var addressing = bindings.find("upstream.addressing", UpstreamConfig.Addressing.class);
    boolean inHost =
        addressing.isPresent()
            && addressing.get().value() == UpstreamConfig.Addressing.VIRTUAL_HOST;
    for (Located<URI> endpoint : items("upstream.endpoints", "", URI.class)) {
      String host = endpoint.value().getHost();
      if (inHost && host.matches("[0-9.]+|\\[.*\\]")) {
        problems.add(
            endpoint.path(),
            endpoint.at(),
            "is an IP address, which cannot carry a bucket name; use a host name or addressing:"
                + " path");
      }
    }
  }

  private void anonymous() {
    Optional<Located<Boolean>> first = Optional.empty();
    for (Located<Boolean> tenant : items("tenants", ".anonymous", Boolean.class)) {
      if (tenant.value() && first.isPresent()) {
        problems.add(
            tenant.path(),
            tenant.at(),
            "only one tenant can be anonymous, and "
                + first.get().path()
                + " on line "
                + first.get().at().line()
                + " is");
      } else if (tenant.value()) {
        first = Optional.of(tenant);
      }
    }
  }

  private void accessLists() {
    for (int t = 0; t < bindings.size("tenants"); t++) {
      String rules = "tenants[" + t + "].policy.rules";
      for (int r = 0; r < bindings.size(rules); r++) {
        unique(rules + "[" + r + "].access", "", TenantConfig.Access.class);
      }
    }
  }

  private <T> void unique(String list, String key, Class<T> type) {
    Map<T, Located<T>> seen = new HashMap<>();
    for (Located<T> item : items(list, key, type)) {
      Located<T> first = seen.putIfAbsent(item.value(), item);
      if (first != null) {
        problems.add(
            item.path(),
            item.at(),
            "is the same as " + first.path() + " on line " + first.at().line());
      }
    }
  }

  private <T> List<Located<T>> items(String list, String key, Class<T> type) {
    return IntStream.range(0, bindings.size(list))
        .mapToObj(i -> bindings.find(list + "[" + i + "]" + key, type))
        .flatMap(Optional::stream)
        .toList();
  }

  private <T extends Comparable<T>> void notMore(String small, String large, Class<T> type) {
    var lower = bindings.find(small, type);
    var upper = bindings.find(large, type);
    if (lower.isPresent()
        && upper.isPresent()
        && lower.get().value().compareTo(upper.get().value()) > 0) {
      if (lower.get().written()) {
        problems.add(small, lower.get().at(), "must not be more than " + large);
      } else {
        problems.add(large, upper.get().at(), "must not be less than " + small);
      }
    }
  }

  /** Reports at the one of two values that somebody wrote, the later one if both. */
  private void report(Located<?> a, Located<?> b, String message) {
    boolean atB = b.written() && (!a.written() || a.at().compareTo(b.at()) <= 0);
    Located<?> wrong = atB ? b : a;
    problems.add(wrong.path(), wrong.at(), message.formatted(atB ? a.path() : b.path()));
  }
}
