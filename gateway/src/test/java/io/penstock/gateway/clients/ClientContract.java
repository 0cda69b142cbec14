package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/**
 * What every S3 client must be able to do through the gateway, on every store, with odd keys,
 * compared byte for byte with what is in the store. A step that {@link Exemption} names is instead
 * tried on the store directly, where it must fail too.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(StoreUnderTest.Kind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientContract {
  @Parameter StoreUnderTest.Kind store;
  private final Judge judge;
  private Bench gateway;
  private Bench direct;

  ClientContract(Judge judge) {
    this.judge = judge;
  }

  @BeforeParameterizedClassInvocation
  void openBenches() {
    Stand stand = Stand.of(store);
    String name = judge.label() + "-" + store.name().toLowerCase(java.util.Locale.ROOT);
    gateway = new Bench(judge, name, stand.gateway(), stand.reader());
    direct = new Bench(judge, name + "-direct", stand.direct(), stand.reader());
    // here, so that a missing tool aborts the class and not every test
    gateway.client();
  }

  @AfterParameterizedClassInvocation
  void closeBenches() {
    gateway.close();
    direct.close();
  }

  @ParameterizedTest
  @EnumSource
  void putsGetsAndHeads(OddKey key) {
    judge(Step.ROUND_TRIP, key);
  }

  @ParameterizedTest
  @EnumSource
  void copiesToAndFrom(OddKey key) {
    judge(Step.COPY, key);
  }

  @Test
  void listsWithPrefixAndDelimiter() {
    judge(Step.LIST, OddKey.PLAIN);
  }

  @Test
  void deletes() {
    judge(Step.DELETE, OddKey.PLUS_AND_SPACE);
  }

  @Test
  void deletesManyAtOnce() {
    List<OddKey> able =
        Arrays.stream(OddKey.values())
            .filter(key -> Exemption.of(judge, store, Step.DELETE_MANY, key).isEmpty())
            .toList();
    expect(Step.DELETE_MANY, OddKey.PLAIN, bench -> Step.deleteTogether(bench, able));
    for (OddKey key : OddKey.values()) {
      if (!able.contains(key)) {
        assertThat(failure(bench -> Step.DELETE_MANY.check(bench, key), direct))
            .as("no longer true, take it out of the table: DELETE_MANY of %s", key)
            .isNotNull();
      }
    }
  }

  @Test
  void uploadsInParts() {
    judge(Step.PARTS, OddKey.PLUS_AND_SPACE);
  }

  @Test
  void readsARange() {
    judge(Step.RANGE, OddKey.PLUS_AND_SPACE);
  }

  private void judge(Step step, OddKey key) {
    Exemption exemption = Exemption.of(judge, store, step, key).orElse(null);
    if (exemption == null) {
      expect(step, key, bench -> step.check(bench, key));
      return;
    }
    Throwable failure = failure(bench -> step.check(bench, key), direct);
    if (failure == null) {
      throw new AssertionError("no longer true, take it out of the table: " + exemption);
    }
    throw new TestAbortedException("fails without a gateway too: " + exemption.reason(), failure);
  }

  private void expect(Step step, OddKey key, Consumer<Bench> check) {
    long start = System.nanoTime();
    Throwable failure = failure(check, gateway);
    Verdicts.record(gateway.bucket(), step, key, start, failure);
    if (failure != null) {
      Throwable directly = failure(check, direct);
      throw new AssertionError(
          "%s of %s failed; without a gateway: %s"
              .formatted(step, key, directly == null ? "works" : directly),
          failure);
    }
  }

  private static @Nullable Throwable failure(Consumer<Bench> check, Bench bench) {
    try {
      check.accept(bench);
      return null;
    } catch (Exception | AssertionError e) {
      return e;
    }
  }
}
