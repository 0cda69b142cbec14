package io.penstock.gateway.read.cache;

import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.upstream.Timeline;
import java.util.concurrent.Executor;

/**
 * One event loop, as a cached read needs it.
 *
 * @param executor runs tasks on the loop, later
 */
public record Loop(ObjectFetcher fetcher, Timeline time, Executor executor) {}
