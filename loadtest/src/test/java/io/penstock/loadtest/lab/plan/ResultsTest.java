package io.penstock.loadtest.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.lab.plan.Experiment.Bar;
import io.penstock.loadtest.lab.plan.Experiment.Metric;
import io.penstock.loadtest.lab.plan.Results.Sample;
import io.penstock.loadtest.lab.plan.Variant.Program;
import io.penstock.loadtest.lab.plan.Variant.Route;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {
  private static final Metric TIME = new Metric("epoch1_s", "time", true);
  private static final Metric RATE = new Metric("items_s", "rate", false);
  private static final Variant OWN = Variant.alone("own", Program.EPOCH, Route.GATEWAY, "x");
  private static final Variant PEER = Variant.alone("peer", Program.EPOCH, Route.STORE, "y");
  private static final Variant FEW = PEER.tuned(", few", "workers", "1");
  private static final Variant MANY = PEER.tuned(", many", "workers", "9");

  private static Results results(List<Bar> bars, Sample... samples) {
    var experiment =
        new Experiment(
            "e",
            "?",
            List.of(new Setting("s", 0, 0, Map.of())),
            List.of(OWN, FEW, MANY),
            List.of(TIME, RATE),
            bars,
            2);
    return new Results(experiment, List.of(samples), Map.of(), Map.of());
  }

  private static Sample sample(Variant variant, int round, double time, double model) {
    return new Sample(
        "s",
        variant.name(),
        round,
        Map.of("epoch1_s", time, "items_s", 100 / time, "model_s", model));
  }

  @Test
  void aPromiseIsHeldAgainstTheBestTunedPeer() {
    var bar = new Bar("", "own", "peer", TIME, 2, "us");
    Results results =
        results(
            List.of(bar),
            sample(OWN, 1, 1, 0.1),
            sample(OWN, 2, 2, 0.1),
            sample(FEW, 1, 9, 0.1),
            sample(FEW, 2, 9, 0.1),
            sample(MANY, 1, 1.8, 0.1),
            sample(MANY, 2, 3.8, 0.1));
    Results.Verdict verdict = results.verdicts().getFirst();
    assertThat(verdict.with()).isEqualTo("own / peer, many");
    assertThat(verdict.reached().min()).isEqualTo(1.8);
    assertThat(verdict.reached().max()).isEqualTo(1.9);
    assertThat(verdict.holds()).isFalse();
  }

  @Test
  void whereMoreIsBetterTheFactorTurnsRound() {
    var bar = new Bar("s", "own", "peer", RATE, 3, "us");
    Results results = results(List.of(bar), sample(OWN, 1, 1, 0.1), sample(FEW, 1, 4, 0.1));
    assertThat(results.verdicts().getFirst().reached().median()).isEqualTo(4);
    assertThat(results.verdicts().getFirst().holds()).isTrue();
  }

  @Test
  void nothingIsSaidAboutWhatWasNotMeasured() {
    var bar = new Bar("", "own", "peer", TIME, 2, "us");
    assertThat(results(List.of(bar), sample(OWN, 1, 1, 0.1)).verdicts()).isEmpty();
  }

  @Test
  void roundsThatLieFarApartAreDoubted() {
    assertThat(Doubts.of(results(List.of(), sample(OWN, 1, 1, 0.1), sample(OWN, 2, 3, 0.1))))
        .singleElement()
        .asString()
        .contains("own", "1.00", "3.00");
  }

  @Test
  void timesThatAreTheModelsCompareNothing() {
    assertThat(Doubts.of(results(List.of(), sample(OWN, 1, 1, 0.99), sample(FEW, 1, 1, 0.99))))
        .singleElement()
        .asString()
        .contains("compare nothing");
    assertThat(Doubts.of(results(List.of(), sample(OWN, 1, 1, 0.5), sample(FEW, 1, 1, 0.99))))
        .isEmpty();
  }
}
