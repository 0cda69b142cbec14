package io.penstock.gateway.access;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.DecodeRequest;
import io.penstock.arrow.wire.Delivery;
import io.penstock.arrow.wire.ItemSource;
import io.penstock.arrow.wire.OptionValue;
import io.penstock.arrow.wire.TransformRequest;
import io.penstock.config.BatchConfig;
import io.penstock.config.ModelsConfig.AccessPointConfig;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.transform.AppliedTransform;
import io.penstock.gateway.transform.Transforms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The configured access points, for all event loops: which there are, and what their objects look
 * like, which is learned once from the model.
 *
 * <p>Threading: any thread; {@link #learn} and {@link #open} block and belong on a codec thread.
 */
public final class AccessPoints {
  private final Map<String, AccessPointConfig> points;
  private final Transforms transforms;
  private final Supplier<BatchConfig> config;
  private final Map<String, FeatureObject> learned = new ConcurrentHashMap<>();

  /**
   * Access points to what {@code transforms} computes.
   *
   * @param config bounds on objects, as they are now
   */
  public AccessPoints(
      List<AccessPointConfig> points, Transforms transforms, Supplier<BatchConfig> config) {
    this.points =
        points.stream().collect(Collectors.toMap(AccessPointConfig::name, Function.identity()));
    this.transforms = transforms;
    this.config = config;
  }

  Optional<AccessPointConfig> find(String bucket) {
    return Optional.ofNullable(points.get(bucket));
  }

  /** The largest object that is read, bytes. */
  long mostBytes() {
    return config.get().maxItem().bytes();
  }

  /** What is known of the objects of {@code point} without blocking. */
  Optional<FeatureObject> known(AccessPointConfig point) {
    return Optional.ofNullable(learned.get(point.name()));
  }

  /**
   * Reads the model if nobody has yet.
   *
   * @throws S3Exception if the model cannot be had
   */
  FeatureObject learn(AccessPointConfig point) {
    try {
      FeatureObject object = FeatureObject.of(point, transforms.features(asked(point, "")));
      learned.put(point.name(), object);
      return object;
    } catch (S3Exception e) {
      throw misconfigured(point, e);
    }
  }

  /**
   * Makes ready what computes one object.
   *
   * @param request unique id of the request
   * @throws S3Exception if it cannot be had now
   */
  AppliedTransform open(AccessPointConfig point, String request) {
    try {
      return transforms.openOne(asked(point, request));
    } catch (S3Exception e) {
      throw misconfigured(point, e);
    }
  }

  /** Features were found in the cache. */
  void found() {
    transforms.found();
  }

  /** The client has named no model and no cut, so that it cannot have named the wrong one. */
  private static S3Exception misconfigured(AccessPointConfig point, S3Exception e) {
    return e.error() == S3Error.INVALID_ARGUMENT
        ? new S3Exception(
            S3Error.INTERNAL_ERROR,
            "The access point %s is not configured as its model wants it: %s"
                .formatted(point.name(), e.getMessage()))
        : e;
  }

  private Transforms.Asked asked(AccessPointConfig point, String request) {
    BatchRequest batch =
        new BatchRequest(
            point.bucket(),
            new ItemSource.Prefix(""),
            new DecodeRequest(
                DecodeRequest.RAW_NAME, new OptionValue.Fields(new LinkedHashMap<>())),
            new Delivery(
                1,
                Delivery.Order.STRICT,
                Delivery.OnError.FAIL,
                Compression.NONE,
                TensorField.Form.EXTENSION,
                new Delivery.Landing.Response()),
            Optional.empty(),
            Optional.of(new TransformRequest(point.model(), point.split())));
    return new Transforms.Asked("object " + request, "", batch, limits());
  }

  private DecodeLimits limits() {
    BatchConfig now = config.get();
    return DecodeLimits.DEFAULTS
        .withSourceBytes(now.maxItem().bytes())
        .withExpandedBytes(now.maxExpanded().bytes())
        .withPixels(now.maxPixels());
  }
}
