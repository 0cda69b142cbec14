package io.penstock.loadtest.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.lab.plan.Topology.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabNameTest {
  @Test
  void isReadBackFromANamespace() {
    var name = new LabName(4711, 123456789);
    for (Place place : Place.values()) {
      assertThat(LabName.of(name.namespace(place))).contains(name);
    }
  }

  @Test
  void othersNamespacesAreNotALabs() {
    assertThat(LabName.of("penstock-lab-1-2-moon")).isEmpty();
    assertThat(LabName.of("xpenstock-lab-1-2-host")).isEmpty();
    assertThat(LabName.of("penstock-lab-99999999999999999999-2-host")).isEmpty();
    assertThat(LabName.of("docker0")).isEmpty();
  }

  @Test
  void livesOnlyWithTheSameStart(@TempDir Path proc) throws Exception {
    Files.createDirectories(proc.resolve("42"));
    Files.writeString(
        proc.resolve("42/stat"), "42 (a ) b) S 1 1 1 0 -1 0 0 0 0 0 5 6 7 8 20 0 1 0 777 0 0\n");
    assertThat(new LabName(42, 777).lives(proc)).isTrue();
    assertThat(new LabName(42, 778).lives(proc)).isFalse();
    assertThat(new LabName(43, 777).lives(proc)).isFalse();
  }

  @Test
  void thisProcessLives() throws Exception {
    assertThat(LabName.ofThisProcess().lives(Path.of("/proc"))).isTrue();
  }
}
