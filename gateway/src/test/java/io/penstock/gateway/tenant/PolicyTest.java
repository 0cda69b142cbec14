package io.penstock.gateway.tenant;

import static io.penstock.config.TenantConfig.Access.ADMIN;
import static io.penstock.config.TenantConfig.Access.READ;
import static io.penstock.config.TenantConfig.Access.WRITE;
import static io.penstock.gateway.s3.AccessNeed.bucket;
import static io.penstock.gateway.s3.AccessNeed.listing;
import static io.penstock.gateway.s3.AccessNeed.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.TenantConfig.Access;
import io.penstock.config.TenantConfig.PolicyConfig;
import io.penstock.config.TenantConfig.Rule;
import io.penstock.gateway.s3.AccessNeed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
  private static final Policy POLICY =
      policy(
          rule("data", null, READ),
          rule("data", "mine/", READ, WRITE),
          rule("team-*", null, READ, WRITE, ADMIN),
          rule("drop", "in/*", WRITE),
          rule("half", "a/", ADMIN));

  private static Policy policy(Rule... rules) {
    return new Policy(Optional.of(new PolicyConfig(List.of(rules))));
  }

  private static Rule rule(String bucket, String prefix, Access... access) {
    return new Rule(bucket, Optional.ofNullable(prefix), List.of(access));
  }

  private static boolean allowed(AccessNeed... needs) {
    return POLICY.decide(List.of(needs)) instanceof AccessDecision.Allowed;
  }

  @Test
  void withoutAPolicyEverythingIsAllowed() {
    Policy open = new Policy(Optional.empty());
    assertThat(open.decide(List.of(bucket("b", ADMIN), object("b", "../x", WRITE))))
        .isEqualTo(new AccessDecision.Allowed());
    assertThat(open.mayList("b")).isTrue();
  }

  @Test
  void withAPolicyWhatNoRuleAllowsIsDenied() {
    assertThat(allowed(object("data", "k", READ))).isTrue();
    assertThat(allowed(object("data", "k", WRITE))).isFalse();
    assertThat(allowed(object("data", "mine/k", WRITE))).isTrue();
    assertThat(allowed(object("data", "mine", WRITE))).isFalse();
    assertThat(allowed(object("database", "k", READ))).isFalse();
    assertThat(allowed(object("dat", "k", READ))).isFalse();
    assertThat(policy().decide(List.of(object("b", "k", READ))))
        .isInstanceOf(AccessDecision.Denied.class);
  }

  @Test
  void aStarStandsForTheRestOfABucketName() {
    assertThat(allowed(object("team-", "k", WRITE))).isTrue();
    assertThat(allowed(object("team-a", "k", WRITE))).isTrue();
    assertThat(allowed(bucket("team-a", ADMIN))).isTrue();
    assertThat(allowed(object("team", "k", READ))).isFalse();
  }

  @Test
  void aStarAfterAPrefixChangesNothing() {
    assertThat(allowed(object("drop", "in/k", WRITE))).isTrue();
    assertThat(allowed(object("drop", "in", WRITE))).isFalse();
  }

  @Test
  void everyNeedOfARequestMustBeAllowed() {
    assertThat(allowed(object("data", "k", READ), object("team-a", "k", WRITE))).isTrue();
    assertThat(allowed(object("secret", "k", READ), object("team-a", "k", WRITE))).isFalse();
    assertThat(allowed(object("data", "k", READ), object("data", "k", WRITE))).isFalse();
  }

  @Test
  void aListingMustStayInsideThePrefix() {
    Policy narrow = policy(rule("b", "mine/", READ));
    assertThat(narrow.decide(List.of(listing("b", "mine/", READ))))
        .isEqualTo(new AccessDecision.Allowed());
    assertThat(narrow.decide(List.of(listing("b", "mine/x", READ))))
        .isEqualTo(new AccessDecision.Allowed());
    for (String wider : List.of("", "m", "mine", "other/")) {
      assertThat(narrow.decide(List.of(listing("b", wider, READ))))
          .as(wider)
          .isInstanceOf(AccessDecision.Denied.class);
    }
  }

  @Test
  void theSettingsOfABucketNeedAllOfIt() {
    assertThat(allowed(bucket("half", ADMIN))).isFalse();
    assertThat(allowed(object("half", "a/k", ADMIN))).isTrue();
    assertThat(allowed(bucket("data", ADMIN))).isFalse();
  }

  @Test
  void whoHasAnyRuleForABucketMayKnowOfIt() {
    assertThat(allowed(bucket("drop", READ))).isTrue();
    assertThat(POLICY.mayList("drop")).isTrue();
    assertThat(POLICY.mayList("team-x")).isTrue();
    assertThat(POLICY.mayList("other")).isFalse();
    assertThat(allowed(bucket("other", READ))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mine/../x",
        "mine/a/../../x",
        "mine/..",
        "mine/./../x",
        "mine/../mine/../x",
        "mine/../../b/mine/",
      })
  void aKeyThatClimbsOutIsDeniedBecauseTheStoreMightFollowIt(String key) {
    assertThat(allowed(object("data", key, WRITE))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mine/a/../x",
        "mine/..x",
        "mine/x..",
        "mine/...",
        "mine/.",
        "mine/a/./b",
        "mine//../x"
      })
  void aKeyWithDotsThatStaysInsideIsAllowed(String key) {
    assertThat(allowed(object("data", key, WRITE))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, a/b",
    "a/./b, a/b",
    "a/../b, b",
    "a/b/.., a/",
    "a/b/., a/b/",
    "., ''",
    "a//../b, a/b",
    "'', ''",
    "/, /",
    "..a/b.., ..a/b..",
  })
  void resolvesDots(String key, String resolved) {
    assertThat(DotSegments.resolve(key)).contains(resolved);
  }

  @Test
  void climbingOutOfTheBucketHasNoResult() {
    assertThat(DotSegments.resolve("..")).isEmpty();
    assertThat(DotSegments.resolve("a/../../b")).isEmpty();
  }

  @Test
  void theReasonNamesWhatWasAskedFor() {
    assertThat(POLICY.decide(List.of(object("data", "k", WRITE))))
        .isEqualTo(
            new AccessDecision.Denied(
                "The tenant's policy gives no write access to this key in bucket data"));
  }
}
