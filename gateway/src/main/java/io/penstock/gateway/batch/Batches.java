package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchSchema;
import io.penstock.arrow.wire.ItemList;
import io.penstock.arrow.wire.StreamMetadata;
import io.penstock.config.BatchConfig;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.read.cache.KeptFeatures;
import io.penstock.gateway.read.cache.ReadCache;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.transform.AppliedTransform;
import io.penstock.gateway.transform.Transforms;
import io.penstock.gateway.upstream.Timeline;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The batch streams of one event loop: builds each run from its request.
 *
 * <p>Threading: the event loop.
 */
public final class Batches {

  /**
   * What the streams of all event loops share.
   *
   * @param config as it is now
   */
  public record Shared(
      Supplier<BatchConfig> config,
      MemoryBudget memory,
      CodecPool codec,
      RunCount count,
      BatchObserver observer,
      Optional<Transforms> transforms) {}

  /** Where the objects come from, on this event loop. */
  public record Source(ObjectReader objects, UpstreamChannel store, Optional<ReadCache> cache) {}

  private final Shared shared;
  private final Source source;
  private final Executor loop;
  private final Timeline timeline;
  private final RequestParsing parsing;
  private final ItemSources sources;
  private final Archives archives;

  public Batches(Shared shared, Source source, Executor loop, Timeline timeline) {
    this.shared = shared;
    this.source = source;
    this.loop = loop;
    this.timeline = timeline;
    this.parsing = new RequestParsing(shared.codec(), loop);
    this.sources = new ItemSources(source.objects(), source.store(), parsing);
    this.archives = new Archives(source.objects(), parsing);
  }

  /** The settings that are in force now. */
  public BatchConfig config() {
    return shared.config().get();
  }

  /**
   * The request that {@code body} is; fails with an {@link S3Exception} that says what is wrong.
   */
  public Future<BatchRequest> parse(byte[] body) {
    return parsing.parse(body, config());
  }

  /**
   * Serves a call to the end of its stream. Completes when the client has all of it, the word that
   * the stream failed included; fails as long as something else can still be answered, and when the
   * client has gone.
   */
  public Future<Void> serve(BatchCall call) {
    BatchConfig config = config();
    Runnable leave = shared.count().enter(call.tenant().name(), config.maxRunsPerTenant());
    shared.observer().started();
    Cancellation reading = new Cancellation();
    var registration = call.cancellation().onCancel(reading::cancel);
    return opened(call, config, reading)
        .onComplete(
            _ -> {
              registration.close();
              leave.run();
              shared.observer().ended();
            });
  }

  private Future<Void> opened(BatchCall call, BatchConfig config, Cancellation reading) {
    try {
      if (call.request().transform().isPresent()) {
        return transformed(call, config, reading);
      }
      return read(
          new Making(call, choice(call.request(), config), Optional.empty()), config, reading);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** Models are opened by a codec thread, since that blocks. */
  private Future<Void> transformed(BatchCall call, BatchConfig config, Cancellation reading) {
    Transforms transforms =
        shared
            .transforms()
            .orElseThrow(
                () ->
                    notImplemented(
                        "/transform: no models are configured here (models): leave it out"));
    Transforms.Asked asked =
        new Transforms.Asked(call.name(), call.tenant().name(), call.request(), limits(config));
    return parsing
        .onCodec(() -> transforms.open(asked))
        .compose(
            transform ->
                applied(call, config, transform, reading).onComplete(_ -> transform.close()));
  }

  private Future<Void> applied(
      BatchCall call, BatchConfig config, AppliedTransform transform, Cancellation reading) {
    try {
      DecodeChoice choice = new DecodeChoice.Tensors(transform.decoder());
      checkFits(transform.request(), choice);
      BatchCall chosen =
          new BatchCall(
              call.name(), call.tenant(), transform.request(), call.landing(), call.cancellation());
      return read(new Making(chosen, choice, Optional.of(transform)), config, reading);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** What is made for a call. */
  private record Making(BatchCall call, DecodeChoice choice, Optional<AppliedTransform> transform) {
    Executor codec(CodecPool shared) {
      return transform.map(AppliedTransform::lane).orElse(shared);
    }
  }

  private Future<Void> read(Making making, BatchConfig config, Cancellation reading) {
    BatchCall call = making.call();
    return sources
        .items(call.request(), call.tenant().policy(), config, reading)
        .compose(items -> run(making, config, items, reading));
  }

  private DecodeChoice choice(BatchRequest request, BatchConfig config) {
    DecodeChoice choice = DecodeChoice.of(request.decode(), limits(config));
    checkFits(request, choice);
    return choice;
  }

  private void checkFits(BatchRequest request, DecodeChoice choice) {
    if (choice instanceof DecodeChoice.Tensors(var decoder)) {
      long most = shared.memory().usage(MemoryArea.BATCHES).limit() / 2;
      long sample = decoder.tensor().bytesPerSample();
      if (sample > most / request.delivery().batchSize()) {
        throw new S3Exception(
            S3Error.ENTITY_TOO_LARGE,
            "A batch of %d samples of %d bytes does not fit in this gateway's memory of %d: ask for smaller batches."
                .formatted(request.delivery().batchSize(), sample, most));
      }
    }
  }

  private static DecodeLimits limits(BatchConfig config) {
    return DecodeLimits.DEFAULTS
        .withSourceBytes(config.maxItem().bytes())
        .withExpandedBytes(config.maxExpanded().bytes())
        .withPixels(config.maxPixels());
  }

  private static S3Exception notImplemented(String message) {
    return new S3Exception(S3Error.NOT_IMPLEMENTED, message);
  }

  private Future<Void> run(
      Making making, BatchConfig config, ItemList items, Cancellation reading) {
    BatchCall call = making.call();
    if (call.cancellation().isCancelled()) {
      return Future.failedFuture(new Relay.ClientGone());
    }
    RunPlan plan = RunPlan.of(call.request(), items);
    RunMemory memory =
        RunMemory.open(shared.memory(), loop, call.name())
            .orElseThrow(
                () ->
                    new S3Exception(
                        S3Error.SLOW_DOWN,
                        "This gateway's memory for batches is taken (runtime.memory-budget): try later.",
                        Optional.of(Duration.ofSeconds(1))));
    Optional<Kept> kept = making.transform().flatMap(transform -> kept(call, transform));
    Lineup lineup =
        new Lineup(
            plan,
            making.choice(),
            memory,
            new TensorAssembly.Threads(
                making.codec(shared.codec()), loop, shared.observer(), kept));
    Compression compression = call.request().delivery().compression();
    Emission emission =
        new Emission(
            () -> schema(making, plan),
            compression,
            call.landing(),
            memory,
            new Emission.Threads(shared.codec(), loop));
    ItemReader reader =
        new ItemReader(
            new ItemReader.Origin(source.objects(), source.store(), archives, limits(config), kept),
            call.request().bucket(),
            call.tenant().policy(),
            reading);
    TakenBytes taken = new TakenBytes(shared.observer());
    BatchRun run =
        new BatchRun(
            plan,
            call.request().delivery().onError(),
            config,
            new BatchRun.Parts(reader, lineup, emission, memory, reading, timeline, taken));
    var registration =
        call.cancellation()
            .onCancel(
                () -> {
                  call.landing().abandon();
                  run.cancel();
                });
    return run.start()
        .onComplete(
            _ -> {
              registration.close();
              shared
                  .transforms()
                  .ifPresent(it -> it.took(call.tenant().name(), taken.bytes(), taken.seconds()));
            });
  }

  /** What earlier streams have computed, if that is what this one would. */
  private Optional<Kept> kept(BatchCall call, AppliedTransform transform) {
    if (source.cache().isEmpty() || transform.recipe().isEmpty()) {
      return Optional.empty();
    }
    KeptFeatures features =
        source
            .cache()
            .get()
            .features(
                call.request().bucket(),
                transform.recipe().get(),
                transform.decoder().tensor().bytesPerSample(),
                loop);
    return Optional.of(
        new Kept(features, shared.codec(), shared.transforms().orElseThrow()::found));
  }

  private static BatchSchema schema(Making making, RunPlan plan) {
    BatchRequest request = making.call().request();
    Map<String, String> words =
        new HashMap<>(StreamMetadata.of(request, OptionalLong.of(plan.items().size())));
    making.transform().ifPresent(transform -> words.putAll(transform.words()));
    return new BatchSchema(
        making.choice().columns(request.delivery().tensors()), plan.items().labelType(), words);
  }
}
