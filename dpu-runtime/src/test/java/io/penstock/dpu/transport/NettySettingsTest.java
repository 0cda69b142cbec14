package io.penstock.dpu.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class NettySettingsTest {

  @Test
  void whatTheCommandLineSaysStays() {
    Properties system = new Properties();
    system.setProperty("io.netty.allocator.type", "adaptive");
    NettySettings settings = new NettySettings(4);
    settings.apply(system);
    assertThat(system)
        .containsEntry("io.netty.allocator.type", "adaptive")
        .containsEntry("io.netty.allocator.numDirectArenas", "5");
    assertThat(settings.inForce(system))
        .containsEntry("io.netty.allocator.type", "adaptive")
        .containsEntry("io.netty.allocator.numDirectArenas", "5");
  }
}
