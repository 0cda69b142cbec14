package io.penstock.dpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.ByteSize;
import io.penstock.config.RuntimeConfig;
import io.penstock.config.RuntimeConfig.Transport;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.dpu.transport.NettyMemory;
import io.penstock.dpu.transport.TransportKind;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DpuRuntimeIT {

  private static DpuRuntime start(Transport transport, Optional<ByteSize> budget) {
    return DpuRuntime.start(
        new RuntimeConfig(transport, Optional.of(1), false, budget), MemoryObserver.NONE);
  }

  private static void stop(DpuRuntime runtime) throws Exception {
    runtime.vertx().close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void startsOnThisMachineAndReportsIt() throws Exception {
    DpuRuntime runtime = start(Transport.AUTO, Optional.of(new ByteSize(64 << 20)));
    try {
      assertThat(runtime.memory().limit()).isEqualTo(64 << 20);
      assertThat(runtime.cpu().eventLoops()).isEqualTo(1);
      assertThat(NettyMemory.isPooled()).isTrue();
      assertThat(runtime.report().warnings()).noneMatch(warning -> warning.contains("pooled"));
      JsonObject json = runtime.report().toJson();
      assertThat(json.getJsonObject("transport").getString("kind"))
          .isEqualTo(runtime.transport().kind().toString());
      assertThat(json.getJsonObject("process").getLong("pid"))
          .isEqualTo(ProcessHandle.current().pid());
      assertThat(json.getJsonObject("process").getDouble("uptime")).isPositive();
      assertThat(runtime.report().toLogLine())
          .startsWith("runtime transport=" + runtime.transport().kind())
          .contains("memory-budget=64MiB")
          .doesNotContain("\n");
    } finally {
      stop(runtime);
    }
  }

  @Test
  void aForcedTransportIsTheOneThatRuns() throws Exception {
    DpuRuntime runtime = start(Transport.NIO, Optional.empty());
    try {
      assertThat(runtime.transport().kind()).isEqualTo(TransportKind.NIO);
      assertThat(runtime.report().toLogLine()).startsWith("runtime transport=nio ");
      assertThat(runtime.memory().limit()).isPositive();
    } finally {
      stop(runtime);
    }
  }

  @Test
  void aBudgetThatTheJvmCannotHoldStopsTheStart() {
    assertThatThrownBy(() -> start(Transport.NIO, Optional.of(new ByteSize(1L << 50))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-XX:MaxDirectMemorySize");
  }
}
