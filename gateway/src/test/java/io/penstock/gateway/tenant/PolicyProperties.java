package io.penstock.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.TenantConfig.Access;
import io.penstock.config.TenantConfig.PolicyConfig;
import io.penstock.config.TenantConfig.Rule;
import io.penstock.gateway.s3.AccessNeed;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PolicyProperties {

  @Provide
  Arbitrary<List<Rule>> rules() {
    Arbitrary<String> buckets = Arbitraries.of("a", "ab", "a*", "b", "*");
    Arbitrary<Optional<String>> prefixes =
        Arbitraries.of("", "x", "x/", "x/*", "y/", "*").optional();
    Arbitrary<List<Access>> access = Arbitraries.of(Access.class).list().ofMaxSize(3);
    return Combinators.combine(buckets, prefixes, access).as(Rule::new).list().ofMaxSize(4);
  }

  @Provide
  Arbitrary<String> keys() {
    return Arbitraries.of("x", "/", "y", "..", ".", "z")
        .list()
        .ofMaxSize(6)
        .map(l -> String.join("", l));
  }

  private static boolean allowed(List<Rule> rules, AccessNeed need) {
    return new Policy(Optional.of(new PolicyConfig(rules))).decide(List.of(need))
        instanceof AccessDecision.Allowed;
  }

  @Property
  void whatAListingMayShowMayBeRead(
      @ForAll("rules") List<Rule> rules,
      @ForAll("keys") String prefix,
      @ForAll("keys") String rest) {
    for (String bucket : List.of("a", "ab", "b", "c")) {
      AccessNeed object = AccessNeed.object(bucket, prefix + rest, Access.READ);
      if (allowed(rules, AccessNeed.listing(bucket, prefix, Access.READ))
          && DotSegments.resolve(prefix + rest).equals(Optional.of(prefix + rest))) {
        assertThat(allowed(rules, object)).isTrue();
      }
    }
  }

  @Property
  void aMoreGenerousPolicyNeverDeniesMore(
      @ForAll("rules") List<Rule> rules,
      @ForAll("rules") List<Rule> more,
      @ForAll("keys") String key,
      @ForAll Access access,
      @ForAll AccessNeed.Scope scope) {
    List<Rule> all = java.util.stream.Stream.concat(rules.stream(), more.stream()).toList();
    AccessNeed need = new AccessNeed("a", key, scope, access);
    if (allowed(rules, need)) {
      assertThat(allowed(all, need)).isTrue();
    }
  }

  @Property
  void anAllowedKeyStaysAllowedAfterItsDotsAreResolved(
      @ForAll("rules") List<Rule> rules, @ForAll("keys") String key) {
    if (allowed(rules, AccessNeed.object("a", key, Access.READ))) {
      String resolved = DotSegments.resolve(key).orElseThrow();
      assertThat(allowed(rules, AccessNeed.object("a", resolved, Access.READ))).isTrue();
    }
  }
}
