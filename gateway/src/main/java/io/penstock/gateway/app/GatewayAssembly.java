package io.penstock.gateway.app;

import io.penstock.arrow.ring.RingHost;
import io.penstock.config.ConfigHandle;
import io.penstock.config.GatewayConfig;
import io.penstock.config.ListenConfig;
import io.penstock.dpu.DpuRuntime;
import io.penstock.dpu.memory.MemoryObserver;
import io.penstock.gateway.access.AccessPointRoute;
import io.penstock.gateway.access.AccessPoints;
import io.penstock.gateway.batch.Batches;
import io.penstock.gateway.batch.CodecPool;
import io.penstock.gateway.batch.RunCount;
import io.penstock.gateway.batch.landing.RingLandings;
import io.penstock.gateway.exchange.AdmitStage;
import io.penstock.gateway.exchange.AuthenticateStage;
import io.penstock.gateway.exchange.AuthorizeStage;
import io.penstock.gateway.exchange.BodyWindows;
import io.penstock.gateway.exchange.Exchange;
import io.penstock.gateway.exchange.ParseStage;
import io.penstock.gateway.exchange.Pipeline;
import io.penstock.gateway.exchange.Route;
import io.penstock.gateway.observe.AccessLog;
import io.penstock.gateway.observe.Meters;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.read.cache.Loop;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.read.fetch.FanOuts;
import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.route.BatchRoute;
import io.penstock.gateway.route.ForwardRoute;
import io.penstock.gateway.route.ListBucketsRoute;
import io.penstock.gateway.route.ReadRoute;
import io.penstock.gateway.route.Router;
import io.penstock.gateway.s3.S3RequestParser;
import io.penstock.gateway.s3.StoreKind;
import io.penstock.gateway.server.S3Server;
import io.penstock.gateway.sigv4.SigV4Verifier;
import io.penstock.gateway.sigv4.SignedHosts;
import io.penstock.gateway.transform.Transforms;
import io.penstock.gateway.upstream.Timeline;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamChannels;
import io.penstock.gateway.upstream.wire.WireTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds every object of the gateway once, in the order in which a request meets them: server,
 * pipeline (authenticate, parse, authorise, admit), routes, object reader, channels to the store.
 * What all event loops share is a field; what each loop has for itself is built in {@link #parts}.
 */
public final class GatewayAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayAssembly.class);

  /** Vert.x: verticles that ask for the same negative port share one free port. */
  private static final int SHARED_FREE_PORT = -1;

  private final GatewayConfig config;
  private final DpuRuntime runtime;
  private final InstantSource clock = InstantSource.system();
  private final BuildInfo build = BuildInfo.load();
  private final Lifecycle lifecycle = new Lifecycle();
  private final Meters meters;
  private final AccessLog accessLog;
  private final LiveSettings settings;
  private final ConfigStatus status;
  private final ServedCertificate certificate;
  private final SigV4Verifier verifier;
  private final AdmitStage admit;
  private final BodyWindows windows;
  private final UpstreamChannels channels;
  private final Optional<ReadCache> cache;
  private final Batches.Shared batches;
  private final Optional<AccessPoints> accessPoints;
  private final RingLandings rings = new RingLandings(() -> RingHost.linux(System::nanoTime));
  private final SplittableRandom seeds = new SplittableRandom();

  private GatewayAssembly(ConfigHandle handle, DpuRuntime runtime) {
    this.settings = new LiveSettings(handle);
    this.config = handle.current();
    this.status = new ConfigStatus(clock);
    this.certificate = new ServedCertificate(config.listen().s3());
    this.accessLog = new AccessLog(clock, settings::accessLog);
    this.runtime = runtime;
    this.meters =
        new Meters(build.version(), build.commit(), runtime.transport().kind().toString());
    this.verifier =
        new SigV4Verifier(
            settings::credential,
            clock,
            Optional.empty(),
            new SignedHosts(config.listen().s3().externalUrl(), config.listen().s3().domains()));
    this.windows = new BodyWindows(runtime.memory());
    this.admit = new AdmitStage(settings::maxInFlight, windows);
    this.channels =
        new UpstreamChannels(
            config.upstream(), settings::storeCredential, clock, new Random(), meters.upstream());
    this.cache =
        ReadCache.of(config.cache(), runtime.memory(), clock, System::nanoTime, meters.cache());
    CodecPool codec = new CodecPool(runtime.cpu().codecThreads());
    this.batches =
        new Batches.Shared(
            settings::batch,
            runtime.memory(),
            codec,
            new RunCount(),
            meters.batches(),
            transforms(codec));
    this.accessPoints =
        batches
            .transforms()
            .map(
                transforms ->
                    new AccessPoints(
                        config.models().orElseThrow().accessPoints(), transforms, settings::batch));
    LOG.info("{}", runtime.report().toLogLine());
    runtime.report().warnings().forEach(LOG::warn);
    declareGauges();
  }

  private Optional<Transforms> transforms(CodecPool codec) {
    return config
        .models()
        .map(
            models ->
                new Transforms(
                    models,
                    new Transforms.Machine(
                        runtime.memory(),
                        codec,
                        runtime.cpu().codecThreads(),
                        meters.transforms())));
  }

  /**
   * Starts a gateway; completes when both ports accept connections. On failure nothing is left
   * running.
   */
  public static Future<RunningGateway> start(GatewayConfig config) {
    return start(new ConfigHandle(config));
  }

  /** The same, following the reloadable keys of {@code handle} while it runs. */
  public static Future<RunningGateway> start(ConfigHandle handle) {
    DpuRuntime runtime;
    try {
      runtime = DpuRuntime.start(handle.current().runtime(), MemoryObserver.NONE);
    } catch (RuntimeException cannot) {
      return Future.failedFuture(cannot);
    }
    return assemble(handle, runtime)
        .recover(cause -> runtime.vertx().close().transform(_ -> Future.failedFuture(cause)));
  }

  private static Future<RunningGateway> assemble(ConfigHandle handle, DpuRuntime runtime) {
    try {
      GatewayAssembly assembly = new GatewayAssembly(handle, runtime);
      return assembly.start().onFailure(_ -> assembly.release());
    } catch (RuntimeException cannot) {
      return Future.failedFuture(cannot);
    }
  }

  private Future<RunningGateway> start() {
    Vertx vertx = runtime.vertx();
    ListenConfig.S3Listener listener = config.listen().s3();
    int port = listener.port() == 0 ? SHARED_FREE_PORT : listener.port();
    List<GatewayVerticle> loops = new ArrayList<>();
    Future<?> started = Future.succeededFuture();
    for (int i = 0; i < runtime.cpu().eventLoops(); i++) {
      GatewayVerticle loop = new GatewayVerticle(this::parts, listener.host(), port);
      loops.add(loop);
      started = started.compose(_ -> vertx.deployVerticle(loop));
    }
    return started
        .compose(_ -> admin(loops))
        .map(
            admin -> {
              new Gauges(meters).loops(loops);
              followCertificates(loops);
              lifecycle.serving();
              String scheme = listener.tls().isPresent() ? "https" : "http";
              URI s3 = address(scheme, listener.host(), loops.getFirst().actualPort());
              return new RunningGateway(
                  vertx,
                  new RunningGateway.Addresses(s3, admin),
                  lifecycle,
                  loops,
                  status,
                  this::release,
                  settings::drainTimeout);
            });
  }

  private void release() {
    batches.codec().close();
    batches.transforms().ifPresent(Transforms::close);
    rings.close();
    cache.ifPresent(ReadCache::close);
    meters.close();
  }

  /** New certificates are for new connections; those that are open keep what they agreed on. */
  private void followCertificates(List<GatewayVerticle> loops) {
    settings
        .handle()
        .subscribe(
            change -> {
              if (change.touches("listen.s3.tls")) {
                renewCertificate(change.after().listen().s3(), loops);
              }
            });
  }

  private void renewCertificate(ListenConfig.S3Listener listener, List<GatewayVerticle> loops) {
    Future.join(loops.stream().map(loop -> loop.renewTls(listener)).toList())
        .onSuccess(
            _ -> {
              certificate.read(listener);
              status.certificateTaken();
            })
        .onFailure(
            cause -> {
              LOG.error(
                  "The new certificate is not used, the old one stays: {}", cause.getMessage());
              status.certificateRefused(String.valueOf(cause.getMessage()));
            });
  }

  /** One event loop's own objects, outermost first in a request's order. */
  private GatewayVerticle.Parts parts(GatewayVerticle loop) {
    WireTransport transport = WireTransport.of(loop.context(), windows::atMost);
    UpstreamChannels.OpenChannel upstream = channels.open(transport);
    FanOuts fanOuts =
        new FanOuts(config.upstream(), runtime.memory(), Timeline.of(transport.loop()));
    ObjectFetcher fetcher = new ObjectFetcher(upstream, meters.upstream(), fanOuts);
    UpstreamChannel watched =
        cache.<UpstreamChannel>map(it -> it.writes().watch(upstream)).orElse(upstream);
    ObjectReader reader = reader(transport, fetcher);
    Route router =
        new Router(
            new ReadRoute(reader),
            new ListBucketsRoute(upstream, settings::maxDocument),
            batch(new Batches.Source(reader, upstream, cache), new LoopTime(loop.context())),
            new ForwardRoute(watched, settings::maxBody, settings::maxDocument));
    Pipeline pipeline =
        new Pipeline(
            new AuthenticateStage(verifier, settings::tenants),
            new ParseStage(
                new S3RequestParser(
                    config.listen().s3().domains(), StoreKind.of(config.upstream().endpoints())),
                settings::maxMetadata),
            new AuthorizeStage(),
            admit,
            accessPoints(reader, upstream, new LoopTime(loop.context()), router),
            this::finished);
    S3Server server =
        new S3Server(
            loop.vertx(),
            config.listen().s3(),
            config.limits(),
            pipeline,
            new RequestIds(seeds.split()),
            lifecycle::draining);
    return new GatewayVerticle.Parts(server, reader, upstream);
  }

  private Route accessPoints(
      ObjectReader reader, UpstreamChannel store, LoopTime time, Route next) {
    return accessPoints
        .<Route>map(
            points ->
                new AccessPointRoute(
                    points,
                    new AccessPointRoute.Parts(
                        reader,
                        store,
                        cache,
                        runtime.memory(),
                        batches.codec(),
                        time,
                        settings::maxDocument),
                    next))
        .orElse(next);
  }

  private ObjectReader reader(WireTransport transport, ObjectFetcher fetcher) {
    Timeline time = Timeline.of(transport.loop());
    return new ObjectReader(
        fetcher, cache.map(it -> it.reader(new Loop(fetcher, time, transport.loop()))));
  }

  private Route batch(Batches.Source source, LoopTime time) {
    return new BatchRoute(
        new Batches(batches, source, time, time), rings, time, time, batches.observer());
  }

  private void finished(Exchange exchange) {
    long end = System.nanoTime();
    meters.finished(exchange, end);
    accessLog.write(exchange, end);
  }

  private Future<URI> admin(List<GatewayVerticle> loops) {
    ListenConfig.AdminListener listener = config.listen().admin();
    StatusReport report =
        new StatusReport(
            new StatusReport.Sources(runtime, meters.figures(), lifecycle, status, certificate),
            build.version(),
            clock,
            loops);
    AdminRoutes routes = new AdminRoutes(lifecycle, meters, this::report, report::toJson);
    return runtime
        .vertx()
        .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
        .requestHandler(routes::handle)
        .listen(listener.port(), listener.host())
        .map(server -> address("http", listener.host(), server.actualPort()));
  }

  private JsonObject report() {
    return runtime
        .report()
        .toJson()
        .put("phase", lifecycle.phase().name())
        .put("configuration", status.toJson())
        .put("version", build.version());
  }

  private void declareGauges() {
    Gauges gauges = new Gauges(meters);
    gauges.requests(admit, batches.count());
    gauges.transforms(batches.transforms());
    gauges.configuration(status, certificate);
    gauges.memory(runtime.memory());
    cache.ifPresent(gauges::cache);
  }

  private static URI address(String scheme, String host, int port) {
    String shown = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return URI.create(
        scheme + "://" + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port);
  }
}
