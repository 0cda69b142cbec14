package io.penstock.gateway.app;

import io.penstock.config.RuntimeConfig;
import io.penstock.dpu.memory.MemoryBudget;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/** Temporary. */
record Machine(
    Vertx vertx, MemoryBudget budget, String transport, int eventLoops, JsonObject report) {
  static Machine of(RuntimeConfig config) {
    Vertx vertx = Vertx.builder().withTransport(io.vertx.core.transport.Transport.IO_URING).build();
    return new Machine(
        vertx,
        MemoryBudget.of(256 << 20),
        "io_uring",
        config.eventLoops().orElse(2),
        new JsonObject());
  }
}
