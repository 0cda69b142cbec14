package io.penstock.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random configurations that keep every rule. */
final class ConfigArbitraries {
  private ConfigArbitraries() {}

  static Arbitrary<GatewayConfig> configs() {
    Arbitrary<LogConfig> logs = Arbitraries.of(LogConfig.Access.values()).map(LogConfig::new);
    return Combinators.combine(
            listens(),
            upstreams(),
            tenants(),
            limits(),
            caches(),
            Combinators.combine(batches(), models().optional()).as(Batching::new),
            runtimes(),
            logs)
        .as(
            (listen, upstream, tenants, limits, cache, batching, runtime, log) ->
                new GatewayConfig(
                    listen,
                    upstream,
                    tenants,
                    limits,
                    cache,
                    batching.batch(),
                    batching.models(),
                    runtime,
                    log));
  }

  /** Two sections, since no more than eight are combined at once. */
  private record Batching(BatchConfig batch, Optional<ModelsConfig> models) {}

  private static Arbitrary<ModelsConfig> models() {
    Arbitrary<ModelsConfig.ModelConfig> model =
        Combinators.combine(
                names(),
                names().map(name -> name + ".onnx"),
                Arbitraries.strings().withChars("0123456789abcdef").ofLength(64),
                Arbitraries.integers().between(1, 1024).optional(),
                Arbitraries.of(ModelsConfig.Normalise.values()))
            .as(ModelsConfig.ModelConfig::new);
    return model
        .list()
        .uniqueElements(ModelsConfig.ModelConfig::name)
        .ofMinSize(1)
        .ofMaxSize(3)
        .flatMap(ConfigArbitraries::models);
  }

  private static Arbitrary<ModelsConfig> models(List<ModelsConfig.ModelConfig> files) {
    return Combinators.combine(
            names().map(name -> "/var/lib/" + name),
            Arbitraries.just(files),
            sizes(1 << 10, 1L << 36),
            Arbitraries.integers().between(1, 1_000_000),
            accessPoints(files))
        .as(ModelsConfig::new);
  }

  private static Arbitrary<List<ModelsConfig.AccessPointConfig>> accessPoints(
      List<ModelsConfig.ModelConfig> files) {
    return Combinators.combine(
            names().map(name -> "point-" + name),
            names().map(name -> "bucket-" + name),
            Arbitraries.of(files).map(ModelsConfig.ModelConfig::name),
            names().filter(split -> !split.equals("auto")),
            Arbitraries.of(ModelsConfig.Form.values()))
        .as(ModelsConfig.AccessPointConfig::new)
        .list()
        .uniqueElements(ModelsConfig.AccessPointConfig::name)
        .ofMaxSize(3);
  }

  static Arbitrary<String> secrets() {
    return Arbitraries.strings()
        .withCharRange(' ', '~')
        .withChars('$', '{', '}', ':', '"', '\'', '\\', '#', '\u00e9', '\u4e2d', '\u2028')
        .ofMinLength(1)
        .ofMaxLength(40);
  }

  private static Arbitrary<String> names() {
    return Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(20);
  }

  private static Arbitrary<Duration> durations(long minMillis, long maxMillis) {
    return Arbitraries.longs().between(minMillis, maxMillis).map(Duration::ofMillis);
  }

  private static Arbitrary<ByteSize> sizes(long min, long max) {
    return Arbitraries.longs().between(min, max).map(ByteSize::new);
  }

  private static final Optional<ByteSize> NOTHING = Optional.of(new ByteSize(0));

  private static Arbitrary<CacheConfig> caches() {
    Arbitrary<CacheConfig.ReadAheadConfig> readAhead =
        Combinators.combine(
                Arbitraries.of(true, false), sizes(1 << 20, 1L << 32), durations(0, 3_600_000))
            .as(CacheConfig.ReadAheadConfig::new);
    Arbitrary<CacheConfig.DiskConfig> disk =
        Combinators.combine(names().map(name -> "/var/cache/" + name), sizes(1 << 20, 1L << 40))
            .as(CacheConfig.DiskConfig::new);
    return Combinators.combine(
            sizes(0, 1L << 40).optional(),
            sizes(64 << 10, 16 << 20),
            durations(0, 86_400_000),
            durations(0, 86_400_000),
            Arbitraries.integers().between(16, 1 << 20),
            readAhead,
            disk.optional())
        .as(CacheConfig::new)
        .filter(cache -> cache.disk().isEmpty() || !cache.memory().equals(NOTHING));
  }

  private static Arbitrary<ListenConfig> listens() {
    Arbitrary<String> hosts =
        Arbitraries.of("127.0.0.1", "0.0.0.0", "::", "[::1]", "localhost", "gw-1.example.com");
    Arbitrary<List<String>> domains =
        names()
            .map(name -> name + ".example.com")
            .list()
            .uniqueElements(String::toLowerCase)
            .ofMaxSize(3);
    Arbitrary<ListenConfig.S3Listener> s3 =
        Combinators.combine(
                hosts,
                Arbitraries.integers().between(0, 30_000),
                domains,
                uris().optional(),
                Arbitraries.of(true, false),
                durations(1_000, 3_600_000),
                durations(100, 3_600_000))
            .as(
                (host, port, domain, url, http2, idle, read) ->
                    new ListenConfig.S3Listener(
                        host, port, Optional.empty(), domain, url, http2, idle, read, !http2));
    Arbitrary<ListenConfig.AdminListener> admin =
        Combinators.combine(hosts, Arbitraries.integers().between(30_001, 65_535))
            .as(ListenConfig.AdminListener::new);
    return Combinators.combine(s3, admin).as(ListenConfig::new);
  }

  private static Arbitrary<URI> uris() {
    return Combinators.combine(
            Arbitraries.of("http", "https"), names(), Arbitraries.integers().between(1, 65_535))
        .as((scheme, host, port) -> URI.create(scheme + "://h" + host + ":" + port));
  }

  private static Arbitrary<UpstreamConfig> upstreams() {
    Arbitrary<UpstreamConfig.PoolConfig> pools =
        Combinators.combine(
                Arbitraries.integers().between(1, 65_536),
                Arbitraries.integers().between(0, 1_000_000),
                durations(1, 300_000),
                durations(100, 3_600_000),
                durations(1, 3_600_000))
            .as(UpstreamConfig.PoolConfig::new);
    Arbitrary<UpstreamConfig.RetryConfig> retries =
        Combinators.combine(
                Arbitraries.integers().between(1, 10),
                durations(1, 60_000),
                durations(60_000, 300_000))
            .as(UpstreamConfig.RetryConfig::new);
    Arbitrary<UpstreamConfig.TlsConfig> tls =
        Arbitraries.of(true, false)
            .map(verify -> new UpstreamConfig.TlsConfig(Optional.empty(), verify));
    return Combinators.combine(
            uris().list().uniqueElements().ofMinSize(1).ofMaxSize(4),
            Arbitraries.of(UpstreamConfig.Addressing.values()),
            names(),
            secrets().map(Secret::new),
            secrets().map(Secret::new).optional(),
            Combinators.combine(tls, pools, retries, hedges(), fanOuts()).as(List::<Record>of))
        .as(
            (endpoints, addressing, key, secret, token, rest) ->
                new UpstreamConfig(
                    endpoints,
                    "us-east-1",
                    addressing,
                    key,
                    secret,
                    token,
                    false,
                    (UpstreamConfig.TlsConfig) rest.get(0),
                    (UpstreamConfig.PoolConfig) rest.get(1),
                    (UpstreamConfig.RetryConfig) rest.get(2),
                    (UpstreamConfig.HedgeConfig) rest.get(3),
                    (UpstreamConfig.FanOutConfig) rest.get(4)));
  }

  private static Arbitrary<UpstreamConfig.HedgeConfig> hedges() {
    return Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.integers().between(1, 50),
            durations(1, 60_000))
        .as(UpstreamConfig.HedgeConfig::new);
  }

  private static Arbitrary<UpstreamConfig.FanOutConfig> fanOuts() {
    return Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.integers().between(2, 256),
            sizes(1 << 20, 1L << 40),
            sizes(64 << 10, 8 << 20),
            sizes(8 << 20, 1 << 30))
        .as(UpstreamConfig.FanOutConfig::new);
  }

  private static Arbitrary<List<TenantConfig>> tenants() {
    Arbitrary<TenantConfig.Rule> rules =
        Combinators.combine(
                Arbitraries.of("*", "train-*", "a", "data.v1_x"),
                secrets().optional(),
                Arbitraries.of(TenantConfig.Access.values()).list().uniqueElements().ofMinSize(1))
            .as(TenantConfig.Rule::new);
    Arbitrary<Optional<TenantConfig.PolicyConfig>> policies =
        rules.list().ofMinSize(1).ofMaxSize(3).map(TenantConfig.PolicyConfig::new).optional();
    Arbitrary<TenantConfig> tenant =
        Combinators.combine(names(), secrets(), policies)
            .as(
                (name, secret, policy) ->
                    new TenantConfig(name, name, new Secret(secret), false, policy));
    Arbitrary<List<TenantConfig>> signed =
        tenant.list().uniqueElements(TenantConfig::name).ofMinSize(1).ofMaxSize(4);
    return Combinators.combine(signed, Arbitraries.of(true, false))
        .as((list, anonymous) -> anonymous ? withAnonymous(list) : list);
  }

  private static List<TenantConfig> withAnonymous(List<TenantConfig> signed) {
    TenantConfig anonymous =
        new TenantConfig("nobody-in-particular", "", new Secret(""), true, Optional.empty());
    return IntStream.rangeClosed(0, signed.size())
        .mapToObj(i -> i == 0 ? anonymous : signed.get(i - 1))
        .toList();
  }

  private static Arbitrary<LimitsConfig> limits() {
    return Combinators.combine(
            sizes(1 << 10, 1 << 20),
            sizes(64 << 10, 1 << 20),
            sizes(0, 64 << 10),
            sizes(64 << 20, 50L << 40),
            sizes(1 << 10, 64 << 20),
            Arbitraries.integers().between(1, 1_000_000),
            durations(0, 3_600_000))
        .as(LimitsConfig::new);
  }

  private static Arbitrary<BatchConfig> batches() {
    Arbitrary<List<Integer>> counts =
        Combinators.combine(
                Arbitraries.integers().between(1, 10_000_000),
                Arbitraries.integers().between(1, 1_000_000),
                Arbitraries.integers().between(1, 4096),
                Arbitraries.integers().between(1, 64),
                Arbitraries.integers().between(1, 100_000),
                Arbitraries.integers().between(1, 1_000_000_000))
            .as(List::of);
    return Combinators.combine(
            counts,
            sizes(1 << 10, 64 << 20),
            sizes(1 << 10, 1 << 30),
            sizes(1 << 10, 1 << 30),
            sizes(1 << 10, 4L << 30),
            durations(100, 3_600_000),
            durations(100, 3_600_000),
            rings())
        .as(
            (count, request, manifest, item, expanded, write, memory, ring) ->
                new BatchConfig(
                    request,
                    count.get(0),
                    count.get(1),
                    manifest,
                    item,
                    count.get(2),
                    count.get(3),
                    count.get(4),
                    write,
                    memory,
                    count.get(5),
                    expanded,
                    ring));
  }

  private static Arbitrary<BatchConfig.RingConfig> rings() {
    return Combinators.combine(
            Arbitraries.of(BatchConfig.RingConfig.Peers.values()),
            Arbitraries.of("/dev/shm/penstock-1000", "/tmp/rings").optional(),
            durations(100, 3_600_000))
        .as(BatchConfig.RingConfig::new);
  }

  private static Arbitrary<RuntimeConfig> runtimes() {
    return Combinators.combine(
            Arbitraries.of(RuntimeConfig.Transport.values()),
            Arbitraries.integers().between(1, 1_024).optional(),
            Arbitraries.of(true, false),
            sizes(16 << 20, 64L << 40).optional())
        .as(RuntimeConfig::new);
  }
}
