package io.penstock.gateway.transform;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.DecodeRequest;
import io.penstock.arrow.wire.StreamMetadata;
import io.penstock.arrow.wire.TransformRequest;
import io.penstock.config.ModelsConfig;
import io.penstock.config.ModelsConfig.ModelConfig;
import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.transform.model.Cut;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.FrozenPrefix;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelId;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.onnx.Compute;
import io.penstock.dpu.transform.store.FolderSource;
import io.penstock.dpu.transform.store.ModelPin;
import io.penstock.dpu.transform.store.ModelStore;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.vertx.core.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured models, for the streams of all event loops.
 *
 * <p>Threading: any thread; {@link #open} blocks and belongs on a codec thread.
 */
public final class Transforms implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Transforms.class);

  /** The split that applies nothing. */
  private static final String NONE = "none";

  private final Map<String, ModelConfig> models;
  private final ModelsConfig config;
  private final Machine machine;
  private final ModelStore store;
  private final ComputeQueue queue;
  private final Scratch scratch;
  private final ClientRates rates;
  private final LayerTimes times;
  private final SplitChoice choice = new SplitChoice();

  /**
   * What there is to compute with.
   *
   * @param threads how many {@code codec} has
   */
  public record Machine(
      MemoryBudget memory, Executor codec, int threads, ComputeObserver observer) {}

  /**
   * Who wants what.
   *
   * @param stream name of the stream, unique among those that are open
   * @param request with a transform
   */
  public record Asked(String stream, String tenant, BatchRequest request, DecodeLimits limits) {}

  /**
   * Nothing is read before it is asked for.
   *
   * @throws ModelException if this machine cannot compute
   */
  public Transforms(ModelsConfig config, Machine machine) {
    this.config = config;
    this.machine = machine;
    this.models =
        config.files().stream().collect(Collectors.toMap(ModelConfig::name, Function.identity()));
    this.store =
        new ModelStore(
            new ModelStore.Setup(
                config.files().stream()
                    .map(file -> new ModelPin(new ModelId(file.name(), file.sha256()), file.file()))
                    .toList(),
                new FolderSource(Path.of(config.folder())),
                ModelLimits.usual(),
                Compute.onCaller(),
                machine.threads(),
                () -> !Context.isOnEventLoopThread()),
            machine.memory());
    this.queue = new ComputeQueue(machine.codec(), machine.threads(), memory());
    this.scratch = new Scratch(machine.memory(), machine.threads());
    this.rates = new ClientRates((double) config.assumedRate().bytes());
    this.times = new LayerTimes(machine.memory());
  }

  private long memory() {
    return machine.memory().usage(MemoryArea.MODELS).limit();
  }

  /**
   * Makes the transform of a stream ready: reads the model if it is not known yet, measures it if
   * the split is left to the gateway, chooses.
   *
   * @throws S3Exception if it cannot be
   */
  public AppliedTransform open(Asked asked) {
    AppliedTransform opened = openOne(asked);
    machine
        .observer()
        .chosen(asked.request().transform().orElseThrow().split().equals(TransformRequest.AUTO));
    return opened;
  }

  /** The same for a single object, which is no stream of its own in the metrics. */
  public AppliedTransform openOne(Asked asked) {
    TransformRequest wanted = asked.request().transform().orElseThrow();
    ModelConfig named = named(wanted.model());
    try {
      FrozenModel model = store.open(wanted.model());
      DecodeRequest decode = ModelInput.decode(asked.request().decode(), named, model.input());
      TensorDecoder pixels =
          ModelInput.decoder(decode, asked.limits(), named.name(), model.input());
      return apply(asked, model, split(asked, model, wanted.split()), decode, pixels);
    } catch (ModelException e) {
      throw refusal(e);
    } catch (LinkageError e) {
      LOG.error("ONNX Runtime cannot be used on this machine", e);
      throw new S3Exception(
          S3Error.INTERNAL_ERROR, "This gateway cannot compute; its log has the reason.");
    }
  }

  /**
   * What a request with a pinned split would get, without opening anything to compute with.
   *
   * @throws S3Exception if there is no such model or cut
   */
  public Features features(Asked asked) {
    TransformRequest wanted = asked.request().transform().orElseThrow();
    ModelConfig named = named(wanted.model());
    try {
      FrozenModel model = store.open(wanted.model());
      DecodeRequest decode = ModelInput.decode(asked.request().decode(), named, model.input());
      var _ = ModelInput.decoder(decode, asked.limits(), named.name(), model.input());
      Cut cut = pinned(model, wanted.split());
      return features(model, cut, effective(asked.request(), cut, decode), "as configured");
    } catch (ModelException e) {
      throw refusal(e);
    }
  }

  private static Features features(
      FrozenModel model, Cut cut, BatchRequest request, String reason) {
    Map<String, String> words = new TreeMap<>(words(model, cut, reason));
    words.putAll(StreamMetadata.of(request, OptionalLong.empty()));
    return new Features(model.id().sha256(), cut.spec(), words);
  }

  private static Cut pinned(FrozenModel model, String split) {
    return split.equals(NONE) ? model.cuts().getFirst() : model.cut(split);
  }

  private ModelConfig named(String model) {
    ModelConfig named = models.get(model);
    if (named == null) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          "/transform/model: there is no model %s; there are %s.".formatted(model, store.names()));
    }
    return named;
  }

  private SplitChoice.Answer split(Asked asked, FrozenModel model, String wanted) {
    if (wanted.equals(TransformRequest.AUTO)) {
      return choice.choose(
          model,
          times.of(model),
          new SplitChoice.Question(
              asked.tenant(),
              asked.request().delivery().batchSize(),
              rates.of(asked.tenant()),
              (double) machine.threads() / (queue.streams() + 1),
              memory(),
              config.consumerSpeed()));
    }
    return new SplitChoice.Answer(pinned(model, wanted), "as asked for");
  }

  private AppliedTransform apply(
      Asked asked,
      FrozenModel model,
      SplitChoice.Answer answer,
      DecodeRequest decode,
      TensorDecoder pixels) {
    Cut cut = answer.cut();
    FrozenPrefix prefix = model.prefix(cut);
    try {
      long input = model.input().bytesPerSample();
      scratch.ensure(input);
      int batch = asked.request().delivery().batchSize();
      ComputeQueue.Lane lane = queue.enter(asked.stream(), input + cut.workspaceBytes(), batch);
      TensorDecoder decoder =
          cut.isInput() ? pixels : new FeatureDecoder(pixels, prefix, scratch, machine.observer());
      BatchRequest request = effective(asked.request(), cut, decode);
      Features features = features(model, cut, request, answer.reason());
      boolean kept = !cut.isInput() && !ModelInput.isRandom(decode);
      return new AppliedTransform(
          request,
          decoder,
          features,
          kept ? Optional.of(features.recipe()) : Optional.empty(),
          lane,
          prefix::close);
    } catch (RuntimeException e) {
      prefix.close();
      throw e;
    }
  }

  private static BatchRequest effective(BatchRequest asked, Cut cut, DecodeRequest decode) {
    TransformRequest wanted = asked.transform().orElseThrow();
    String split = cut.isInput() ? NONE : cut.name();
    return new BatchRequest(
        asked.bucket(),
        asked.source(),
        decode,
        asked.delivery(),
        asked.epoch(),
        Optional.of(new TransformRequest(wanted.model(), split)));
  }

  private static Map<String, String> words(FrozenModel model, Cut cut, String reason) {
    TensorSpec spec = cut.spec();
    Map<String, String> words = new TreeMap<>();
    words.put("penstock.transform.sha256", model.id().sha256());
    words.put("penstock.transform.tensor", cut.name());
    words.put("penstock.transform.shape", spec.shape().toString().replace(" ", ""));
    words.put("penstock.transform.dtype", spec.dtype().text());
    words.put("penstock.transform.reason", reason);
    return words;
  }

  /** A stream of {@code tenant} is over; while bytes were ready its client took so many. */
  public void took(String tenant, long bytes, double seconds) {
    rates.took(tenant, bytes, seconds);
  }

  /** Features were found in the cache. */
  public void found() {
    machine.observer().found();
  }

  /** Streams that compute now. */
  public int streams() {
    return queue.streams();
  }

  private static S3Exception refusal(ModelException e) {
    String message = String.valueOf(e.getMessage());
    return switch (e.reason()) {
      case UNKNOWN_MODEL, NO_SUCH_CUT ->
          new S3Exception(S3Error.INVALID_ARGUMENT, "/transform: " + message);
      case NO_MEMORY ->
          new S3Exception(S3Error.SLOW_DOWN, message, Optional.of(Duration.ofSeconds(1)));
      case UNREADABLE, HASH_MISMATCH, REFUSED, FAILED ->
          new S3Exception(S3Error.INTERNAL_ERROR, message);
    };
  }

  @Override
  public void close() {
    store.close();
  }
}
