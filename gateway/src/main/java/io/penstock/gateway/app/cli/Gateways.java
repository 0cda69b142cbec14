package io.penstock.gateway.app.cli;

import io.penstock.config.ConfigHandle;
import io.penstock.config.GatewayConfig;
import io.penstock.gateway.app.GatewayAssembly;
import io.penstock.gateway.app.RunningGateway;
import io.vertx.core.Future;
import java.util.concurrent.CompletionException;

/**
 * Starting and ending a gateway from the main thread, which may wait.
 *
 * <p>Threading: never on an event loop.
 */
final class Gateways {
  private Gateways() {}

  /**
   * @throws CommandFailure if it cannot serve
   */
  static RunningGateway start(GatewayConfig config) {
    return await(GatewayAssembly.start(config), "the gateway cannot start");
  }

  /**
   * The same, following the reloadable keys of {@code handle}.
   *
   * @throws CommandFailure if it cannot serve
   */
  static RunningGateway start(ConfigHandle handle) {
    return await(GatewayAssembly.start(handle), "the gateway cannot start");
  }

  /** Returns when requests in flight are done, or the drain timeout has passed. */
  static void drain(RunningGateway gateway) {
    await(gateway.drain(), "the gateway did not end in order");
  }

  static void close(RunningGateway gateway) {
    await(gateway.close(), "the gateway did not end in order");
  }

  private static <T> T await(Future<T> future, String complaint) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw CommandFailure.failed(complaint, e);
    }
  }
}
