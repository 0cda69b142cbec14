package io.penstock.gateway.upstream;

import io.penstock.config.UpstreamConfig;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.upstream.wire.Endpoint;
import io.penstock.gateway.upstream.wire.WirePool;
import io.penstock.gateway.upstream.wire.WireTls;
import io.penstock.gateway.upstream.wire.WireTransport;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Stacks the layers on the way to the store, from the outside: Retry, Region, Hedge, Limit, and for
 * each endpoint Sign (or Anonymous) around Http. This is the only place that knows the order.
 *
 * <p>Threading: safe; what {@link #open} returns belongs to one event loop.
 */
public final class UpstreamChannels {
  private final UpstreamConfig config;
  private final List<Endpoint> endpoints;
  private final Optional<WireTls> tls;
  private final RegionSigners signers;
  private final RandomGenerator random;
  private final UpstreamObserver observer;

  /**
   * Asks {@code credentials} for each try, so that they may change.
   *
   * @param random must be safe for use by several threads
   * @throws IllegalArgumentException if an endpoint or the TLS settings are of no use
   */
  public UpstreamChannels(
      UpstreamConfig config,
      Supplier<Credential> credentials,
      InstantSource clock,
      RandomGenerator random,
      UpstreamObserver observer) {
    this.config = config;
    this.endpoints = config.endpoints().stream().map(Endpoint::of).toList();
    this.tls =
        endpoints.stream().anyMatch(Endpoint::tls)
            ? Optional.of(WireTls.of(config.tls()))
            : Optional.empty();
    this.signers = new RegionSigners(credentials, clock);
    this.random = random;
    this.observer = observer;
  }

  /** The way to the store for one event loop; call on that loop. */
  public OpenChannel open(WireTransport transport) {
    Timeline timeline = Timeline.of(transport.loop());
    BucketHomes homes = new BucketHomes(config.region());
    List<WirePool> pools = new ArrayList<>();
    List<EndpointPicker.Member> members = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      WirePool pool = new WirePool(transport, endpoint, tls, config.pool(), observer);
      Addressing addressing = new Addressing(endpoint, config.addressing());
      HttpChannel http = new HttpChannel(endpoint.toString(), addressing, pool);
      UpstreamChannel sign =
          config.anonymous()
              ? new AnonymousChannel(http)
              : new SigningChannel(signers, homes, http);
      members.add(new EndpointPicker.Member(endpoint, sign, pool::load));
      pools.add(pool);
    }
    EndpointPicker picker = new EndpointPicker(members, timeline, observer);
    UpstreamChannel limit = new LimitChannel(picker, homes, timeline, observer);
    UpstreamChannel hedge =
        config.hedge().enabled()
            ? new HedgeChannel(limit, config.hedge(), timeline, observer)
            : limit;
    UpstreamChannel region = new RegionChannel(endpoints, homes, hedge);
    Backoff backoff = new Backoff(config.retry(), random);
    return new OpenChannel(
        new RetryChannel(region, config.retry().maxAttempts(), backoff, timeline, observer), pools);
  }

  /**
   * The stack with its connections.
   *
   * <p>Threading: confined to its event loop, {@link #close} included.
   */
  public static final class OpenChannel implements UpstreamChannel, AutoCloseable {
    private final UpstreamChannel outermost;
    private final List<WirePool> pools;

    private OpenChannel(UpstreamChannel outermost, List<WirePool> pools) {
      this.outermost = outermost;
      this.pools = List.copyOf(pools);
    }

    @Override
    public Future<UpstreamResponse> send(UpstreamRequest request) {
      return outermost.send(request);
    }

    /** Takes no more calls; connections close as their calls end. */
    @Override
    public void close() {
      pools.forEach(WirePool::close);
    }

    @Override
    public String toString() {
      return outermost.toString();
    }
  }
}
