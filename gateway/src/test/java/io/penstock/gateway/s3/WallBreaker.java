package io.penstock.gateway.s3;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.vertx.core.Vertx;

/**
 * Everything that a class of this package must not do: the proof that the architecture test sees
 * it.
 */
public record WallBreaker(Vertx vertx, MeterRegistry registry, UpstreamChannel upstream) {}
