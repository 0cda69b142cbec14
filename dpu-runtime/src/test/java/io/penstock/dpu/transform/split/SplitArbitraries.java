package io.penstock.dpu.transform.split;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Networks and surroundings of every kind. */
final class SplitArbitraries {
  private SplitArbitraries() {}

  static Arbitrary<List<Candidate>> candidates() {
    Arbitrary<Candidate> one =
        Combinators.combine(
                Arbitraries.longs().between(1, 20_000_000),
                seconds(),
                seconds(),
                Arbitraries.longs().between(0, 1L << 32),
                Arbitraries.longs().between(0, 1L << 24))
            .as(
                (bytes, near, far, fixed, sample) ->
                    new Candidate(
                        new Split.Raw(),
                        bytes,
                        new Candidate.Near(near, fixed, sample),
                        new Candidate.Far(far, far / 50)));
    return one.list()
        .ofMinSize(1)
        .ofMaxSize(20)
        .map(
            list -> {
              List<Candidate> named = new ArrayList<>();
              for (Candidate c : list) {
                Split split = new Split.After("cut" + named.size());
                named.add(new Candidate(split, c.bytes(), c.near(), c.far()));
              }
              return named;
            });
  }

  static Arbitrary<Surroundings> surroundings() {
    return Combinators.combine(
            Arbitraries.doubles().between(1e6, 1e10),
            Arbitraries.doubles().between(1e6, 1e10),
            Arbitraries.doubles().between(0.1, 64),
            Arbitraries.longs().between(0, 1L << 33),
            Combinators.combine(
                    Arbitraries.longs().between(1, 1_000_000),
                    Arbitraries.integers().between(1, 2048),
                    Arbitraries.longs().between(0, 1_000_000),
                    Arbitraries.integers().between(1, 64))
                .as(Surroundings.Work::new))
        .as(
            (store, client, threads, memory, work) ->
                new Surroundings(new Surroundings.Links(store, client), threads, memory, work));
  }

  private static Arbitrary<Double> seconds() {
    return Arbitraries.doubles().between(0, 1);
  }
}
