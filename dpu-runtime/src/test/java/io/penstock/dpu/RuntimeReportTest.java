package io.penstock.dpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.memory.BudgetPlan;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.platform.BlueField;
import io.penstock.dpu.platform.CgroupLimits;
import io.penstock.dpu.platform.CpuSet;
import io.penstock.dpu.platform.Platform;
import io.penstock.dpu.transport.TransportChoice;
import io.penstock.dpu.transport.TransportKind;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RuntimeReportTest {
  private static final long MIB = 1 << 20;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final JvmFacts jvm =
      new JvmFacts(42, "25.0.1", START, 256 * MIB, 256 * MIB, List.of("a flag is missing"));
  private final Platform dpu =
      new Platform(
          "aarch64",
          "5.15.0-1060-bluefield",
          CpuSet.first(16),
          "Cortex-A78AE",
          "BlueField-3 SmartNIC Main Card",
          Optional.of(BlueField.BLUEFIELD_3),
          Optional.of("bf-bundle-2.9.1"),
          32768 * MIB);
  private final CgroupLimits cgroup =
      new CgroupLimits(
          CgroupLimits.Version.V2,
          OptionalDouble.of(8),
          CpuSet.parse("0-11"),
          OptionalLong.of(4096 * MIB));
  private final CpuPlan cpu =
      CpuPlan.of(CpuSet.first(12), OptionalDouble.of(8), new CpuPlan.Wishes(Optional.of(2), true));
  private final TransportChoice transport =
      new TransportChoice(
          TransportKind.EPOLL,
          "the best that works, without io_uring",
          Map.of(TransportKind.IO_URING, "Operation \"not\" permitted"));
  private final MemoryBudget budget = MemoryBudget.of(192 * MIB);
  private final RuntimeReport report =
      new RuntimeReport(
          new RuntimeReport.Found(jvm, dpu, cgroup),
          new RuntimeReport.Chosen(
              cpu,
              transport,
              new BudgetPlan(192 * MIB, "three quarters", List.of("raise something")),
              Map.of("io.netty.allocator.type", "pooled")),
          List.of("pinning was refused"),
          budget,
          InstantSource.fixed(START.plusMillis(1500)));

  @Test
  void oneLineForTheLog() {
    assertThat(report.toLogLine())
        .isEqualTo(
            "runtime transport=epoll transport-reason=\"the best that works, without io_uring\""
                + " loops=2 codecs=6 cores=8 pinned=[0,1] memory-budget=192MiB heap=256MiB"
                + " direct=256MiB machine-memory=32768MiB cgroup=v2 arch=aarch64"
                + " bluefield=BlueField-3 kernel=5.15.0-1060-bluefield java=25.0.1 pid=42"
                + " warnings=3");
  }

  @Test
  void warningsOfAllSources() {
    assertThat(report.warnings())
        .containsExactly("a flag is missing", "raise something", "pinning was refused");
  }

  @Test
  void jsonShowsWhatWasFoundAndChosen() {
    JsonObject json = new JsonObject(report.toJson().encode());
    assertThat(json.getJsonObject("process"))
        .isEqualTo(
            new JsonObject()
                .put("pid", 42)
                .put("java", "25.0.1")
                .put("started", "2026-01-01T00:00:00Z")
                .put("uptime", 1.5));
    assertThat(json.getJsonObject("platform").getString("dpu")).isEqualTo("BlueField-3");
    assertThat(json.getJsonObject("platform").getBoolean("bluefield")).isTrue();
    assertThat(json.getJsonObject("cgroup"))
        .isEqualTo(
            new JsonObject()
                .put("version", "v2")
                .put("cpu-quota", 8.0)
                .put("cpuset", "0,1,2,3,4,5,6,7,8,9,10,11")
                .put("memory", 4294967296L));
    assertThat(json.getJsonObject("cpu").getJsonArray("pinned")).isEqualTo(new JsonArray("[0,1]"));
    assertThat(json.getJsonObject("transport").getJsonObject("refused").getString("io_uring"))
        .isEqualTo("Operation \"not\" permitted");
    assertThat(json.getJsonArray("warnings")).hasSize(3);
  }

  @Test
  void jsonShowsMemoryAsItIsNow() {
    try (Reservation _ = budget.tryReserve(MemoryClaim.body(MIB, "test")).orElseThrow()) {
      JsonObject memory = report.toJson().getJsonObject("memory");
      assertThat(memory.getLong("used")).isEqualTo(MIB);
      assertThat(memory.getLong("budget")).isEqualTo(192 * MIB);
      assertThat(memory.getJsonObject("areas").getJsonObject("bodies").getLong("used"))
          .isEqualTo(MIB);
    }
    assertThat(report.toJson().getJsonObject("memory").getLong("used")).isZero();
  }

  @Test
  void aPlainHostLeavesOutWhatItHasNot() {
    Platform host =
        new Platform(
            "amd64", "6.8", CpuSet.first(2), "cpu", "box", Optional.empty(), Optional.empty(), 0);
    RuntimeReport plain =
        new RuntimeReport(
            new RuntimeReport.Found(jvm, host, CgroupLimits.NONE),
            new RuntimeReport.Chosen(cpu, transport, new BudgetPlan(1, "", List.of()), Map.of()),
            List.of(),
            budget,
            InstantSource.fixed(START));
    assertThat(plain.toJson().getJsonObject("cgroup"))
        .isEqualTo(new JsonObject().put("version", "none"));
    assertThat(plain.toJson().getJsonObject("platform").containsKey("dpu")).isFalse();
    assertThat(plain.toLogLine()).contains("bluefield=no").contains("cgroup=none");
  }

  @Test
  void eachMissingFlagIsNamedWithItsCost() {
    assertThat(new JvmFacts.Access(true, true, true).warnings()).isEmpty();
    assertThat(new JvmFacts.Access(false, false, false).warnings())
        .hasSize(3)
        .first()
        .asString()
        .contains("--enable-native-access=ALL-UNNAMED")
        .contains("1.5 to 2 times");
  }

  @Test
  void theTestsOfThisRepositoryRunWithAllFlags() {
    assertThat(JvmFacts.here().warnings()).isEmpty();
  }
}
