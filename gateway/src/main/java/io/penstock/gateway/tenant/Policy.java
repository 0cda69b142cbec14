package io.penstock.gateway.tenant;

import io.penstock.config.TenantConfig.Access;
import io.penstock.config.TenantConfig.PolicyConfig;
import io.penstock.config.TenantConfig.Rule;
import io.penstock.gateway.s3.AccessNeed;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What one tenant may do: whatever some rule allows. Without a policy everything is allowed, with
 * one nothing else is.
 *
 * <ul>
 *   <li>A rule's prefix is a prefix with or without a {@code *} at its end; its bucket is a whole
 *       name unless it ends in {@code *}.
 *   <li>A listing is allowed if its own prefix begins with the rule's: then every key it can show
 *       is allowed.
 *   <li>That a bucket exists may be known to everyone who has any rule for it; its settings belong
 *       to ADMIN of the whole bucket, so a rule with a prefix never gives them.
 *   <li>No access contains another: a rule says READ, WRITE and ADMIN for each it means.
 * </ul>
 *
 * <p>Threading: immutable.
 */
public final class Policy {
  private final Optional<List<Rule>> rules;

  public Policy(Optional<PolicyConfig> config) {
    this.rules = config.map(PolicyConfig::rules).map(List::copyOf);
  }

  /** Decides on all needs of a request: one that is denied denies it. */
  public AccessDecision decide(List<AccessNeed> needs) {
    for (AccessNeed need : needs) {
      if (!allows(need)) {
        return new AccessDecision.Denied(reason(need));
      }
    }
    return new AccessDecision.Allowed();
  }

  /** Whether the bucket may show in a list of buckets. */
  public boolean mayList(String bucket) {
    return allows(AccessNeed.bucket(bucket, Access.READ));
  }

  private boolean allows(AccessNeed need) {
    return rules.isEmpty() || rules.get().stream().anyMatch(rule -> allows(rule, need));
  }

  private static boolean allows(Rule rule, AccessNeed need) {
    if (!matches(rule.bucket(), need.bucket())) {
      return false;
    }
    boolean granted = rule.access().contains(need.access());
    return switch (need.scope()) {
      case OBJECT, LISTING -> granted && covers(prefixOf(rule), need.key());
      case BUCKET ->
          need.access() == Access.READ
              ? !rule.access().isEmpty()
              : granted && prefixOf(rule).isEmpty();
    };
  }

  private static boolean matches(String pattern, String bucket) {
    return pattern.endsWith("*")
        ? bucket.startsWith(pattern.substring(0, pattern.length() - 1))
        : bucket.equals(pattern);
  }

  private static String prefixOf(Rule rule) {
    String prefix = rule.prefix().orElse("");
    return prefix.endsWith("*") ? prefix.substring(0, prefix.length() - 1) : prefix;
  }

  /** Covered as written, and also if the store, or something before it, should resolve dots. */
  private static boolean covers(String prefix, String key) {
    return key.startsWith(prefix)
        && DotSegments.resolve(key).filter(p -> p.startsWith(prefix)).isPresent();
  }

  private static String reason(AccessNeed need) {
    String what =
        switch (need.scope()) {
          case OBJECT -> "this key";
          case LISTING -> "a listing with this prefix";
          case BUCKET -> "this bucket";
        };
    return "The tenant's policy gives no "
        + need.access().name().toLowerCase(Locale.ROOT)
        + " access to "
        + what
        + " in bucket "
        + need.bucket();
  }
}
