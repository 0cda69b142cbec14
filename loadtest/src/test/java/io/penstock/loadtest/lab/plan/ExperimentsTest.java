package io.penstock.loadtest.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentsTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyPromiseIsAboutSomethingThatIsMeasured(boolean quick) {
    for (Experiment experiment : Experiments.all(quick)) {
      List<String> families = experiment.variants().stream().map(Variant::family).toList();
      List<String> settings = experiment.settings().stream().map(Setting::name).toList();
      for (Experiment.Bar bar : experiment.bars()) {
        assertThat(families).contains(bar.family(), bar.peer());
        assertThat(experiment.metrics()).contains(bar.metric());
        assertThat(bar.factor()).isGreaterThan(1);
        if (!bar.setting().isEmpty()) {
          assertThat(settings).contains(bar.setting());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void namesTellEverythingApart(boolean quick) {
    List<Experiment> all = Experiments.all(quick);
    assertThat(all).extracting(Experiment::name).doesNotHaveDuplicates();
    for (Experiment experiment : all) {
      assertThat(experiment.variants()).extracting(Variant::name).doesNotHaveDuplicates();
      assertThat(experiment.settings()).extracting(Setting::name).doesNotHaveDuplicates();
    }
  }

  @Test
  void quickAsksLess() {
    int quick = Experiments.all(true).stream().mapToInt(Experiment::trials).sum();
    int full = Experiments.all(false).stream().mapToInt(Experiment::trials).sum();
    assertThat(quick).isLessThan(full / 2);
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatAreKnown() {
    assertThat(Experiments.named(List.of("getbatch"), true)).hasSize(1);
    assertThatThrownBy(() -> Experiments.named(List.of("nothing"), true))
        .hasMessageContaining("nothing")
        .hasMessageContaining("os2g, getbatch, ranks, gateways");
  }

  @Test
  void aBucketHoldsOneTickOfItsLink() {
    assertThat(new Topology.Rate(10_000).burst()).isEqualTo(5_000_000);
    assertThat(new Topology.Rate(10).burst()).isEqualTo(256 << 10);
    assertThatThrownBy(() -> new Topology.Rate(0)).hasMessageContaining("1 Mbit/s or more");
  }
}
