package io.penstock.gateway.read.plan;

import io.penstock.config.UpstreamConfig.FanOutConfig;

/**
 * What a fan-out may not exceed. Sizes in bytes.
 *
 * @param connections most connections for one object, at least 2
 * @param minRemaining no trial while less is left to read
 */
public record FanOutLimits(int connections, long minRemaining, long minPart, long maxPart) {

  public static FanOutLimits of(FanOutConfig config) {
    return new FanOutLimits(
        config.maxConnections(),
        config.minObject().bytes(),
        config.minPart().bytes(),
        config.maxPart().bytes());
  }
}
